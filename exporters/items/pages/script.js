const isChinese = navigator.language.startsWith("zh");
const at = (id) => document.getElementById(id);
const shared = isChinese
  ? { took: "耗时", none: "没有达到阈值的标签" }
  : { took: "took", none: "No label reaches its threshold" };
document.documentElement.lang = isChinese ? "zh-CN" : "en";

function note(text, isError = false) {
  at("note").textContent = text;
  at("note").classList.toggle("wrong", isError);
}

function bar({ label, score }) {
  const item = document.createElement("li");
  const row = item.appendChild(document.createElement("div"));
  row.className = "row";
  row.appendChild(document.createElement("span")).textContent = label;
  row.appendChild(document.createElement("span")).textContent = `${(score * 100).toFixed(1)} %`;
  const bar = item.appendChild(document.createElement("div"));
  bar.className = "bar";
  bar.appendChild(document.createElement("div")).style.width = `${score * 100}%`;
  return item;
}

// `inputOf` stands beside the model's part of the page. Its result has the type and body of a request, its curl options, and
// may draw an answer in its own way or show a refusal.
const input = inputOf(isChinese ? "zh" : "en");
let number = 0; // of the latest request; answers to earlier ones are dropped

function draw(annotations) {
  at("bars").replaceChildren(...annotations.map(input.item ?? bar));
  input.draw?.(annotations);
}

function showAnswer(annotations, ms) {
  draw(annotations);
  const took = `${shared.took} ${ms.toFixed(1)} ms`;
  note(annotations.length ? took : `${input.none ?? shared.none} · ${took}`);
}
