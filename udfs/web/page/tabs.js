// Tabs as the ARIA Authoring Practices describe them: arrows move between them, and the panel follows.

/** Make the tabs of a list work; onShow is called with the id of the panel that is shown. */
export function tabs(listed, onShow) {
  const all = [...listed.querySelectorAll('[role="tab"]')];
  const panel = (tab) => document.getElementById(tab.getAttribute("aria-controls"));
  const show = (tab) => {
    for (const each of all) {
      const chosen = each === tab;
      each.setAttribute("aria-selected", String(chosen));
      each.tabIndex = chosen ? 0 : -1;
      panel(each).hidden = !chosen;
    }
    onShow(panel(tab).id);
  };
  const moves = { ArrowLeft: -1, ArrowRight: 1 };
  for (const tab of all) {
    tab.addEventListener("click", () => show(tab));
    tab.addEventListener("keydown", (event) => {
      const at = all.indexOf(tab);
      const to = event.key in moves ? (at + moves[event.key] + all.length) % all.length : { Home: 0, End: all.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      all[to].focus();
      show(all[to]);
    });
  }
  return { show: (at) => show(all[at]) };
}
