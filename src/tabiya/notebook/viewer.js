/** The widget of tabiya.viewer. Positions, moves and texts come from Python: there are no rules of chess here. */

const SVG = "http://www.w3.org/2000/svg";
const UNIT = 40; // the side of a square; the pieces of the sprite have it, too
const SIDE = 8 * UNIT;

/** An element with attributes; texts from files only ever become text nodes. */
function make(parent, name, attributes = {}, text = null) {
  const inSvg = name === "svg" || parent.namespaceURI === SVG;
  const element = inSvg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  if (text !== null) {
    element.textContent = text;
  }
  parent.append(element);
  return element;
}

/** By name, wk to bp: what is drawn for a piece. */
function readPieces(sprite) {
  const groups = new DOMParser().parseFromString(sprite, "image/svg+xml").querySelectorAll("defs > g");
  return new Map(Array.from(groups, (group) => [group.id, group]));
}

/** The pieces of a FEN with the index of their square, counted from a8. */
function* piecesOf(fen) {
  let place = 0;
  for (const letter of fen.split(" ")[0]) {
    if (letter >= "1" && letter <= "8") {
      place += Number(letter);
    } else if (letter !== "/") {
      yield [place, (letter < "a" ? "w" : "b") + letter.toLowerCase()];
      place += 1;
    }
  }
}

/** The upper left corner of a square, by its index from a8. */
function cornerAt(place, flipped) {
  const shown = flipped ? 63 - place : place;
  return [(shown % 8) * UNIT, Math.floor(shown / 8) * UNIT];
}

const cornerOf = (square, flipped) => cornerAt(square.charCodeAt(0) - 97 + 8 * (8 - Number(square[1])), flipped);

function drawSquare(board, square, flipped, paint, opacity = 1) {
  const [x, y] = cornerOf(square, flipped);
  make(board, "rect", { x, y, width: UNIT, height: UNIT, fill: paint, "fill-opacity": opacity });
}

function drawArrow(board, [from, to, paint], flipped) {
  const [x1, y1, x2, y2] = [...cornerOf(from, flipped), ...cornerOf(to, flipped)].map((value) => value + UNIT / 2);
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (!length) {
    make(board, "circle", { cx: x1, cy: y1, r: 17, fill: "none", stroke: paint, "stroke-width": 4, opacity: 0.8 });
    return;
  }
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const at = (along, aside) => `${(x1 + along * dx - aside * dy).toFixed(1)},${(y1 + along * dy + aside * dx).toFixed(1)}`;
  const [neck, tip] = [length - 16, length - 3];
  const points = [at(12, 3), at(neck, 3), at(neck, 8), at(tip, 0), at(neck, -8), at(neck, -3), at(12, -3)];
  make(board, "polygon", { points: points.join(" "), fill: paint, opacity: 0.8 });
}

function drawBoard(board, node, flipped, { light, dark, moved, coordinates }, pieces) {
  board.replaceChildren();
  for (let place = 0; place < 64; place += 1) {
    const [x, y] = cornerAt(place, flipped);
    make(board, "rect", { x, y, width: UNIT, height: UNIT, fill: (place + (place >> 3)) % 2 ? dark : light });
  }
  for (const square of node.moved ?? []) {
    drawSquare(board, square, flipped, moved);
  }
  for (const [square, paint] of node.squares ?? []) {
    drawSquare(board, square, flipped, paint, 0.6);
  }
  for (let index = 0; index < 8; index += 1) {
    const [file, rank] = flipped ? ["abcdefgh"[7 - index], index + 1] : ["abcdefgh"[index], 8 - index];
    make(board, "text", { x: (index + 1) * UNIT - 3, y: SIDE - 3, "text-anchor": "end", fill: coordinates }, file);
    make(board, "text", { x: 2, y: index * UNIT + 10, fill: coordinates }, rank);
  }
  const king = node.check ? (node.fen.split(" ")[1] === "w" ? "wk" : "bk") : "";
  for (const [place, name] of node.fen ? piecesOf(node.fen) : []) {
    const [x, y] = cornerAt(place, flipped);
    if (name === king) {
      make(board, "circle", { cx: x + UNIT / 2, cy: y + UNIT / 2, r: 18, fill: "#d33", opacity: 0.75 });
    }
    const piece = pieces.get(name).cloneNode(true);
    piece.removeAttribute("id"); // several boards are on one page
    piece.setAttribute("transform", `translate(${x} ${y})`);
    board.append(document.importNode(piece, true));
  }
  for (const arrow of node.arrows ?? []) {
    drawArrow(board, arrow, flipped);
  }
}

/** For every node its continuations; the first is the main one. */
function childrenOf(nodes) {
  const children = nodes.map(() => []);
  nodes.forEach(({ parent }, place) => parent !== null && children[parent].push(place));
  return children;
}

const GLUED_BEFORE = new Set(["close", "nag"]);
const GLUED_AFTER = new Set(["open", "number"]);

/** The notation; returns the buttons of the moves by node. Lines do not break between a move, its number and its signs. */
function writeMoves(place, text, choose) {
  const moves = new Map();
  let [previous, word] = ["", place];
  place.replaceChildren();
  for (const [kind, words, depth, node] of text) {
    const glued = GLUED_BEFORE.has(kind) || GLUED_AFTER.has(previous);
    if (previous && !glued) {
      place.append(" ");
    }
    if (!glued || kind === "text") {
      word = make(place, "span", { class: kind === "text" ? "" : "word" });
    }
    previous = kind;
    const look = `${kind} ${depth ? "variation" : "main"}`;
    if (node === undefined) {
      make(word, "span", { class: look }, words);
      continue;
    }
    const button = make(word, "button", { type: "button", class: look, tabindex: "-1" }, words);
    button.addEventListener("click", () => choose(node));
    moves.set(node, button);
  }
  return moves;
}

const GRAPH = { width: 400, height: 60 };

/** White's chances along the main line, and a dot for the current move; returns a function that moves the dot. */
function drawGraph(place, nodes, line, choose) {
  place.replaceChildren();
  const known = line.filter((node) => nodes[node].chances !== undefined);
  place.hidden = known.length < 2;
  if (place.hidden) {
    return () => {};
  }
  const last = Math.max(1, nodes[line.at(-1)].ply);
  const x = (node) => (GRAPH.width * nodes[node].ply) / last;
  const y = (node) => GRAPH.height * (1 - nodes[node].chances / 100);
  const { width, height } = GRAPH;
  const graph = make(place, "svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", class: "graph" });
  make(graph, "rect", { width, height, fill: "#403d39" });
  const points = known.map((node) => `${x(node).toFixed(1)},${y(node).toFixed(1)}`).join(" ");
  const [left, right] = [x(known[0]).toFixed(1), x(known.at(-1)).toFixed(1)];
  make(graph, "polygon", { points: `${left},${height} ${points} ${right},${height}`, fill: "#f0f0f0" });
  make(graph, "line", { x1: 0, x2: width, y1: height / 2, y2: height / 2, stroke: "#888" });
  const mark = make(graph, "line", { y1: 0, y2: height, stroke: "#d5741c", "stroke-width": 2 });
  graph.addEventListener("click", (event) => {
    const { left: edge, width: shown } = graph.getBoundingClientRect();
    const ply = Math.round((last * (event.clientX - edge)) / shown);
    choose(line[Math.min(Math.max(ply, 0), line.length - 1)]);
  });
  return (node) => {
    mark.setAttribute("x1", x(node).toFixed(1));
    mark.setAttribute("x2", x(node).toFixed(1));
  };
}

/** The latest clocks at a node, White's first. */
function clocksAt(nodes, node) {
  const clocks = [null, null];
  for (let move = nodes[node]; move && clocks.includes(null); move = nodes[move.parent]) {
    if (move.clock) {
      clocks[move.label.includes("...") ? 1 : 0] ??= move.clock;
    }
  }
  return clocks;
}

/** White's chances at a node, or at the last evaluated one before it. */
function chancesAt(nodes, node) {
  let move = nodes[node];
  while (move && move.chances === undefined) {
    move = nodes[move.parent];
  }
  return move?.chances ?? 50;
}

const BUTTONS = [
  ["M5 5v14M19 5 8 12l11 7z", "Start (Home)", "start"],
  ["M17 5 6 12l11 7z", "Previous move (←)", "back"],
  ["M7 5l11 7-11 7z", "Next move (→)", "forward"],
  ["M19 5v14M5 5l11 7-11 7z", "End of the line (End)", "end"],
  ["M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4", "Turn the board (f)", "turn"],
];
const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  ArrowUp: "start",
  ArrowDown: "end",
  Home: "start",
  End: "end",
  f: "turn",
  Escape: "leave",
  "Shift+ArrowRight": "next",
  "Shift+ArrowLeft": "previous",
  "Shift+ArrowUp": "leave",
};

function render({ model, el }) {
  const root = make(el, "div", { class: "tabiya-viewer", tabindex: "0", role: "group", "aria-label": "Chess game" });
  root.dataset.lmSuppressShortcuts = "true"; // JupyterLab would take the arrows
  const left = make(root, "div", { class: "left" });
  const stage = make(left, "div", { class: "stage" });
  const bar = make(make(stage, "div", { class: "bar" }), "div");
  const board = make(stage, "svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, class: "board", role: "img" });
  const graphPlace = make(left, "div");
  const buttons = make(left, "div", { class: "buttons" });
  const right = make(root, "div", { class: "right" });
  const title = make(right, "div", { class: "title" });
  const tags = make(right, "div", { class: "tags" });
  const moves = make(right, "div", { class: "moves" });
  const status = make(right, "div", { class: "status", "aria-live": "polite" });
  let facts, children, line, moveButtons, moveMark;

  const current = () => Math.min(model.get("current"), facts.nodes.length - 1);
  const choose = (node) => {
    if (node !== undefined && node !== null) {
      model.set("current", node);
      model.save_changes();
    }
  };
  /** The first node of the variation around a node. */
  const variationOf = (node) => {
    let start = node;
    while (start && children[facts.nodes[start].parent][0] === start) {
      start = facts.nodes[start].parent;
    }
    return start;
  };
  const alternative = (node, step) => {
    const siblings = node ? children[facts.nodes[node].parent] : [];
    choose(siblings[siblings.indexOf(node) + step]);
  };
  const ACTIONS = {
    start: () => choose(0),
    back: (node) => choose(facts.nodes[node].parent),
    forward: (node) => choose(children[node][0]),
    end: (node) => {
      let last = node;
      while (children[last].length) {
        last = children[last][0];
      }
      choose(last);
    },
    next: (node) => alternative(node, 1),
    previous: (node) => alternative(node, -1),
    leave: (node) => {
      const start = variationOf(node);
      choose(start ? children[facts.nodes[start].parent][0] : undefined);
    },
    turn: () => {
      model.set("flipped", !model.get("flipped"));
      model.save_changes();
    },
  };
  const act = (name) => (facts.nodes.length || name === "turn") && ACTIONS[name](current());

  function update() {
    const node = facts.nodes[current()] ?? { fen: "", parent: null };
    const flipped = model.get("flipped");
    drawBoard(board, node, flipped, model.get("_drawing"), pieces);
    board.setAttribute("aria-label", `Position after ${node.label ?? "the start"}: ${node.fen ?? "unknown"}`);
    bar.parentElement.hidden = !facts.nodes.some(({ chances }) => chances !== undefined);
    bar.parentElement.classList.toggle("flipped", flipped);
    bar.style.height = `${chancesAt(facts.nodes, current())}%`;
    moveMark(facts.nodes.length ? current() : 0);
    const clocks = clocksAt(facts.nodes, current());
    const shown = [
      node.label ?? "Start",
      node.eval && `evaluation ${node.eval}${node.depth}`,
      clocks.some(Boolean) && `clocks ${clocks.map((clock) => clock ?? "–").join(" / ")}`,
    ];
    status.textContent = facts.nodes.length ? shown.filter(Boolean).join(" · ") : facts.problems.join(" ");
    for (const [place, button] of moveButtons) {
      const isCurrent = place === current();
      button.classList.toggle("current", isCurrent);
      button.toggleAttribute("aria-current", isCurrent);
    }
    showCurrent();
  }

  function showCurrent() {
    const button = moveButtons.get(current());
    const [above, below] = button ? [button.offsetTop, button.offsetTop + button.offsetHeight] : [0, 0];
    if (above < moves.scrollTop || below > moves.scrollTop + moves.clientHeight) {
      moves.scrollTop = above - moves.clientHeight / 2;
    }
  }

  function load() {
    facts = model.get("_facts");
    children = childrenOf(facts.nodes);
    line = [];
    for (let node = 0; node !== undefined && facts.nodes.length; node = children[node][0]) {
      line.push(node);
    }
    title.textContent = [facts.title, facts.result].filter(Boolean).join("  ");
    tags.textContent = [facts.tags, facts.opening].filter(Boolean).join(" · ");
    right.hidden = facts.nodes.length === 1 && !facts.tags; // a position
    moveButtons = writeMoves(moves, facts.text, (node) => {
      choose(node);
      root.focus({ preventScroll: true }); // the keys step from here
    });
    moveMark = drawGraph(graphPlace, facts.nodes, line, choose);
    for (const [action, button] of moveActions) {
      button.hidden = facts.nodes.length < 2 && action !== "turn";
    }
    update();
  }

  const pieces = readPieces(model.get("_drawing").pieces);
  const moveActions = BUTTONS.map(([outline, name, action]) => {
    const button = make(buttons, "button", { type: "button", title: name, "aria-label": name });
    make(make(button, "svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }), "path", { d: outline });
    button.addEventListener("click", () => act(action));
    return [action, button];
  });
  root.addEventListener("keydown", (event) => {
    const name = (event.shiftKey && event.key.length > 1 ? "Shift+" : "") + event.key;
    if (KEYS[name] && !event.ctrlKey && !event.altKey && !event.metaKey) {
      act(KEYS[name]);
      event.preventDefault();
      event.stopPropagation();
    }
  });
  const resize = () => root.style.setProperty("--board", `${model.get("size")}px`);
  const watched = [
    ["change:_facts", load],
    ["change:current", update],
    ["change:flipped", update],
    ["change:size", resize],
  ];
  watched.forEach(([name, changed]) => model.on(name, changed));
  resize();
  load();
  const observer = new ResizeObserver(showCurrent); // a notebook may lay out its cells later
  observer.observe(moves);
  return () => {
    observer.disconnect();
    watched.forEach(([name, changed]) => model.off(name, changed));
  };
}

export default { render };
