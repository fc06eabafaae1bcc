// Search of the docs, instead of the script and worker of MkDocs: those drop all that is not ASCII,
// fail at a colon in the query, and cannot run in a page that was opened as a file.
//
// The index is a script for the same reason. Words of languages without blanks are split into pairs
// of characters, as Lucene's CJKAnalyzer does: no dictionary has 长捉 or 一将一捉.

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]+/gu;
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]+|[\p{L}\p{M}\p{N}]+/gu;
const SUMMARY = 200;

// Words of a text, in lower case; of a run of characters without blanks the pairs, or in an index
// also each character.
function wordsOf(text, withCharacters) {
  const found = [];
  for (const [run] of text.toLowerCase().matchAll(WORD)) {
    const characters = Array.from(run);
    if (!run.match(UNSPACED)) {
      found.push(run);
      continue;
    }
    for (let i = 0; i + 1 < characters.length; i++) {
      found.push(characters[i] + characters[i + 1]);
    }
    if (withCharacters || characters.length === 1) {
      found.push(...characters);
    }
  }
  return found;
}

function makeIndex(docs) {
  return lunr(function () {
    this.pipeline.reset();
    this.pipeline.add(lunr.stemmer);
    this.tokenizer = (text, data) =>
      wordsOf(text == null ? "" : String(text), true).map((word) => new lunr.Token(word, { ...data }));
    this.ref("location");
    this.field("title", { boost: 10 });
    this.field("text");
    docs.forEach((doc) => this.add(doc));
  });
}

// Documents with all words of a query, each of which may be the beginning of a longer one.
function findDocs(index, query) {
  const words = wordsOf(query, false);
  if (!words.length) {
    return [];
  }
  return index.query((wanted) => {
    for (const word of words) {
      const stem = lunr.stemmer(new lunr.Token(word)).toString();
      const wildcard = word.match(UNSPACED)
        ? lunr.Query.wildcard.NONE
        : lunr.Query.wildcard.TRAILING;
      wanted.term(stem, { wildcard, presence: lunr.Query.presence.REQUIRED });
    }
  });
}

// A piece of a text around the first of some words.
function summarize(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - SUMMARY / 4);
  const from = places.length ? start : 0;
  return (from ? "…" : "") + text.slice(from, from + SUMMARY);
}

function show(results, docs, query) {
  const list = document.getElementById("mkdocs-search-results");
  const articles = results.map(({ ref }) => {
    const article = document.createElement("article");
    const link = document.createElement("a");
    link.href = `${base_url}/${ref}`;
    link.textContent = docs.get(ref).title;
    const summary = document.createElement("p");
    summary.textContent = summarize(docs.get(ref).text, wordsOf(query, false));
    article.appendChild(document.createElement("h3")).appendChild(link);
    article.appendChild(summary);
    return article;
  });
  if (!articles.length) {
    articles.push(document.createElement("p"));
    articles[0].textContent = list.getAttribute("data-no-results-text") || "No results found";
  }
  list.replaceChildren(...articles);
}

function load(source) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = source;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${source} cannot be loaded`));
    document.head.appendChild(script);
  });
}

async function startSearch() {
  const input = document.getElementById("mkdocs-search-query");
  if (!input || !document.getElementById("mkdocs-search-results")) {
    return; // only the page of results searches
  }
  input.value = new URLSearchParams(window.location.search).get("q") || "";
  await load(`${base_url}/search/lunr.js`);
  await load(`${base_url}/search/search_index.js`);
  const index = makeIndex(window.searchDocs);
  const docs = new Map(window.searchDocs.map((doc) => [doc.location, doc]));
  const search = () => show(findDocs(index, input.value), docs, input.value);
  input.addEventListener("input", search);
  search();
}

document.addEventListener("DOMContentLoaded", startSearch);
