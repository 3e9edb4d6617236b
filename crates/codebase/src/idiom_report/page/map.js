// The coverage map: folders and files as tiles, as large as there is code in them.

/** The folders of some files as a tree; chains of folders that hold one folder are one. */
function folderTree(files) {
  const root = { name: "", path: "", nodes: 0, covered: 0, lines: 0, files: 0, children: new Map() };
  for (const file of files) {
    const parts = file.path.split("/");
    let at = root;
    add(at, file);
    parts.forEach((name, depth) => {
      const isFile = depth === parts.length - 1;
      const path = at.path + name + (isFile ? "" : "/");
      if (!at.children.has(path)) {
        at.children.set(path, { name, path, nodes: 0, covered: 0, lines: 0, files: 0, isFile, children: new Map() });
      }
      at = at.children.get(path);
      add(at, file);
    });
  }
  return root;

  function add(node, file) {
    node.nodes += file.nodes;
    node.covered += file.covered;
    node.lines += file.lines;
    node.files += 1;
  }
}

/** What a path leads to: the folder that ends like it, or the file. */
function findFolder(root, path) {
  let at = root;
  while (at.path !== path) {
    const next = [...at.children.values()].find((it) => it.path === path || (!it.isFile && path.startsWith(it.path)));
    if (!next) return at;
    at = next;
  }
  return at;
}

/** Rectangles for sizes, largest first, each as square as can be (Bruls, Huizing, van Wijk 2000). */
function squarified(items, area) {
  let { x, y, width, height } = area;
  const total = items.reduce((sum, it) => sum + it.nodes, 0);
  const scale = total > 0 ? (width * height) / total : 0;
  const placed = [];
  let from = 0;
  while (from < items.length) {
    const side = Math.min(width, height);
    if (side <= 0) break;
    let to = from;
    let sum = 0;
    let best = Infinity;
    while (to < items.length) {
      const size = items[to].nodes * scale;
      const next = sum + size;
      const thickness = next / side;
      const largest = items[from].nodes * scale;
      const worst = Math.max(largest / thickness / thickness, (thickness * thickness) / Math.max(size, 1e-9));
      if (worst > best) break;
      best = worst;
      sum = next;
      to++;
    }
    const thickness = sum / side;
    let along = 0;
    for (const item of items.slice(from, to)) {
      const length = (item.nodes * scale) / thickness;
      placed.push(width >= height
        ? { item, x, y: y + along, width: thickness, height: length }
        : { item, x: x + along, y, width: length, height: thickness });
      along += length;
    }
    if (width >= height) {
      x += thickness;
      width -= thickness;
    } else {
      y += thickness;
      height -= thickness;
    }
    from = to;
  }
  return placed;
}

const LABEL_HEIGHT = 20;
const INSET = 4;
const GAP = 2;
const MIN_TILE = 4;
/** Folders whose files would have less are not looked into. */
const MIN_AREA = 36;
const share = (node) => (node.nodes ? node.covered / node.nodes : 0);

/** Folders with a share at or above this have the strongest colour. */
function strongest(root) {
  const shares = [];
  const open = [root];
  while (open.length) {
    const node = open.pop();
    if (node.isFile) shares.push([share(node), node.nodes]);
    open.push(...node.children.values());
  }
  shares.sort((one, other) => one[0] - other[0]);
  let left = 0.95 * root.nodes;
  for (const [value, nodes] of shares) {
    left -= nodes;
    if (left <= 0) return Math.max(value, 0.01);
  }
  return 0.01;
}

/** Draws the inside of a folder; `choose` is called with the path of a tile that is clicked. */
function drawMap(container, root, chosen, choose, tell) {
  const found = findFolder(root, chosen);
  let folder = found.isFile ? findFolder(root, chosen.slice(0, chosen.lastIndexOf("/") + 1)) : found;
  // A folder that holds one folder only would be a frame around it.
  while (folder.children.size === 1 && ![...folder.children.values()][0].isFile) {
    [folder] = folder.children.values();
  }
  const high = strongest(root);
  const tiles = [];
  const area = { x: 0, y: 0, width: container.clientWidth, height: container.clientHeight };
  layOut(folder, area, 0);
  container.replaceChildren(...tiles);
  return { folder, found, high };

  function layOut(folder, area, depth) {
    const children = [...folder.children.values()].filter((it) => it.nodes > 0);
    children.sort((one, other) => other.nodes - one.nodes || (one.path < other.path ? -1 : 1));
    for (const place of squarified(children, area)) {
      if (place.width < MIN_TILE || place.height < MIN_TILE) continue;
      const { item: node } = place;
      const hasRoom = place.width > 60 && place.height > 48;
      const isCrowded = place.width * place.height < MIN_AREA * node.files;
      const isGroup = !node.isFile && hasRoom && !isCrowded && depth < 4;
      tiles.push(tile(node, place, isGroup));
      if (!isGroup) continue;
      layOut(node, {
        x: place.x + INSET,
        y: place.y + LABEL_HEIGHT,
        width: place.width - 2 * INSET,
        height: place.height - LABEL_HEIGHT - INSET,
      }, depth + 1);
    }
  }

  function tile(node, place, isGroup) {
    const made = element("button", isGroup ? "tile group" : "tile");
    made.type = "button";
    made.style.left = `${place.x}px`;
    made.style.top = `${place.y}px`;
    made.style.width = `${Math.max(place.width - GAP, 2)}px`;
    made.style.height = `${Math.max(place.height - GAP, 2)}px`;
    if (Math.min(place.width, place.height) < 14) made.classList.add("tiny");
    made.style.setProperty("--share", `${Math.round(100 * Math.min(share(node) / high, 1))}%`);
    const about = aboutTile(node);
    made.setAttribute("aria-label", about);
    if (node.path === chosen) made.setAttribute("aria-current", "true");
    if (isGroup || (place.width > 52 && place.height > 20)) {
      made.append(element("span", "name", node.isFile ? node.name : `${node.name}/`));
      const hasRoom = isGroup ? place.width > 130 : place.height > 38;
      if (hasRoom) made.append(element("span", "share", percent(share(node))));
    }
    made.addEventListener("click", () => choose(node.path));
    made.addEventListener("pointerenter", () => tell(about));
    made.addEventListener("focus", () => tell(about));
    return made;
  }
}

function aboutTile(node) {
  const size = node.isFile ? counted(node.lines, "line") : `${counted(node.files, "file")}, ${counted(node.lines, "line")}`;
  return `${node.path || "all"}: ${percent(share(node))} inside an idiom; ${size}`;
}
