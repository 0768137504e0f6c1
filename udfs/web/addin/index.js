// The page that hands out the manifest: it is the manifest of the bundle with the address of this server.

const UNKNOWN = "https://valet-xl.invalid/";
const link = document.getElementById("manifest");
const place = new URL("../", location.href).href;
const text = await (await fetch("manifest.xml")).text();
link.href = URL.createObjectURL(new Blob([text.replaceAll(UNKNOWN, place)], { type: "text/xml" }));
if (location.protocol !== "https:") {
  document.getElementById("warning").textContent =
    `Excel takes add-ins from addresses that begin with https: only, and this page is at ${place}.`;
}
