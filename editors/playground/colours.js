// The colours of a text, from the keyword tables of the front ends. A line's colours depend on the text before it only
// through comments, so the whole text is cut into pieces by one expression.
"use strict";

/** A text as pieces: [start, end, class]; between them there is nothing to colour. */
function pieces(text, words) {
  const parts = /(\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))|("(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|^([ \t]*#[^\n]*)|([A-Za-z_][A-Za-z0-9_]*)|(\d+)/gm;
  const found = [];
  for (let match = parts.exec(text); match; match = parts.exec(text)) {
    const [all, comment, string, directive, word, number] = match;
    const name = comment ? "comment" : string ? "string" : directive ? "directive" : number ? "number" : words.has(word) ? "keyword" : "";
    if (name) {
      found.push([match.index, match.index + all.length, name]);
    }
  }
  return found;
}

/** A part of the text as nodes with the colours of its `pieces`; `marks` ([start, end, class]) are underlined. */
function coloured(text, from, to, all, everyMark) {
  const cut = new Set([from, to]);
  const isHere = ([start, end]) => start < to && end > from;
  const [colours, marks] = [all.filter(isHere), everyMark.filter(isHere)];
  for (const [start, end] of [...colours, ...marks]) {
    cut.add(Math.max(start, from)).add(Math.min(end, to));
  }
  const at = [...cut].sort((a, b) => a - b);
  const out = document.createDocumentFragment();
  let colour = 0;
  for (let i = 0; i + 1 < at.length; i += 1) {
    while (colour < colours.length && colours[colour][1] <= at[i]) {
      colour += 1;
    }
    const inside = colour < colours.length && colours[colour][0] <= at[i];
    const marked = marks.filter(([start, end]) => start <= at[i] && at[i] < end).map((mark) => mark[2]);
    const names = [...(inside ? [colours[colour][2]] : []), ...marked];
    const piece = text.slice(at[i], at[i + 1]);
    if (names.length === 0) {
      out.append(piece);
    } else {
      const span = document.createElement("span");
      span.className = names.join(" ");
      span.textContent = piece;
      out.append(span);
    }
  }
  // A last empty line has a height only if something is in it.
  out.append("\n");
  return out;
}
