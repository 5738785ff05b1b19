// The few ways in which this page touches its document. Text goes in as text
// only: names come from people.

export const byId = (id) => document.getElementById(id);

export function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

// Write only what differs: a live region speaks at every write.
export function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function show(node, shown) {
  if (node.hidden === shown) node.hidden = !shown;
}

const built = new WeakMap();

// Build the children of a node anew when what they show has changed.
export function rebuild(node, shown, build) {
  const key = JSON.stringify(shown);
  if (built.get(node) === key) return;
  built.set(node, key);
  node.replaceChildren(...build());
}
