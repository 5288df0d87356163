// The keys of a page, its help about them, and its theme.

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  say(`${root.dataset.theme} theme`);
  keep("theme", root.dataset.theme);
}

// isTyped returns whether a key belongs to a field that is written in. `search` gives away some.
function isTyped(field, key, search) {
  if (field.tagName === "SELECT") return true;
  if (field.tagName !== "INPUT" || field.type !== "search") return false;
  return field !== search || !["Escape", "ArrowDown"].includes(key);
}

// useKeys has the page do what KEYS say: each the keys, what they are called, what they do, and how.
// The button #help shows them, #theme switches between light and dark.
function useKeys(keys, search) {
  const theme = kept("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  for (const [, called, does] of keys) {
    const names = called.split(" ").flatMap((name) => [make("kbd", {}, name), " "]);
    byId("keys").querySelector("tbody").append(
      make("tr", {}, make("th", {scope: "row"}, ...names), make("td", {}, does)));
  }
  byId("theme").addEventListener("click", toggleTheme);
  byId("help").addEventListener("click", () => byId("keys").showModal());
  byId("close").addEventListener("click", () => byId("keys").close());
  byId("letters").checked = kept("letters") !== "off";
  byId("letters").addEventListener("change", () => keep("letters", byId("letters").checked ? "on" : "off"));
  document.addEventListener("keydown", (event) => {
    const {key, target} = event;
    if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
    if (key.length === 1 && !byId("letters").checked) return;
    if (key.length > 1 && key !== "Escape" && target.closest?.("[data-scrolls]")) return;
    const act = keys.find(([of]) => of.includes(key))?.[3];
    if (!act || isTyped(target, key, search)) return;
    event.preventDefault();
    act();
  });
}
