// The service worker: it keeps the files of this page, so that the second visit needs no network.

/**
 * Keep the files of the page. Gives a promise that they are kept, or that this browser keeps none.
 *
 * onProgress: called with the bytes that are there and how many there are in all, during the first visit
 * onUpdate: called with a function that changes to a newer version, once there is one
 */
export async function keep(onProgress, onUpdate) {
  if (!("serviceWorker" in navigator)) return false;
  try {
    const { serviceWorker } = navigator;
    const listening = ({ data }) => { if (data?.kept !== undefined) onProgress(data.kept, data.of); };
    serviceWorker.addEventListener("message", listening);
    const registration = await serviceWorker.register("sw.js", { updateViaCache: "none" });
    watch(registration, onUpdate);
    if (serviceWorker.controller) return true;
    const first = registration.installing ?? registration.waiting ?? registration.active;
    await new Promise((resolve, reject) => {
      const look = () => {
        if (first.state === "activated") resolve();
        if (first.state === "redundant") reject(new Error("the files could not be kept"));
      };
      first.addEventListener("statechange", look);
      look();
    });
    return true;
  } catch {
    return false; // a private window, say: the page then works with a network alone
  }
}

function watch(registration, onUpdate) {
  const { serviceWorker } = navigator;
  const offer = (worker) => {
    onUpdate(() => {
      serviceWorker.addEventListener("controllerchange", () => location.reload());
      worker.postMessage("take over");
    });
  };
  const look = (worker) => worker?.addEventListener("statechange", () => {
    if (worker.state === "installed" && serviceWorker.controller) offer(worker);
  });
  if (registration.waiting && serviceWorker.controller) offer(registration.waiting);
  look(registration.installing);
  registration.addEventListener("updatefound", () => look(registration.installing));
}
