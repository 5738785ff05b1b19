// The page reads itself anew while somebody looks at it.
const EVERY_MS = 10000;

async function renew() {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = document.getElementById("devices");
    const next = page.getElementById("devices");
    if (next && next.innerHTML !== now.innerHTML) now.replaceWith(document.adoptNode(next));
  } catch {
    // The table is away: the next try may find it.
  }
}

setInterval(renew, EVERY_MS);
document.addEventListener("visibilitychange", renew);
