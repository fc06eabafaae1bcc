// Search of the docs, instead of the script and worker of MkDocs: those drop all that is not ASCII,
// fail at a colon in the query, and cannot run in a page that was opened as a file.
//
// The texts are a script for the same reason. They are searched as they are, in a few milliseconds;
// an index of lunr took more than a second to make whenever the page was opened.

const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]+$/u;
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]+|[\p{L}\p{M}\p{N}]+/gu;
const ENDING = /(?<=.{3})(?:es|ed|e|ing|s)$/; // chases, chased, chasing: all begin with "chas"
const SUMMARY = 200;
const TITLE_WEIGHT = 10;
const MAX_HITS = 5; // of a word in a text, that count

// Words of a query in lower case, without their English endings.
function wordsOf(query) {
  return Array.from(query.toLowerCase().matchAll(WORD), ([word]) => word.replace(ENDING, ""));
}

// A pattern that finds a word where it begins one; anywhere in a language without blanks.
function patternOf(word) {
  return new RegExp(word.match(UNSPACED) ? word : `(?<![\\p{L}\\p{M}\\p{N}])${word}`, "gu");
}

function hitsOf(text, pattern) {
  return Math.min(MAX_HITS, (text.toLowerCase().match(pattern) ?? []).length);
}

// Documents with all words of a query, each of which may be the beginning of a longer one; the best
// first: those with the words in the title, then those with many of them.
function findDocs(docs, query) {
  const patterns = wordsOf(query).map(patternOf);
  const weigh = ({ title, text }) => {
    const hits = patterns.map((one) => TITLE_WEIGHT * hitsOf(title, one) + hitsOf(text, one));
    return hits.includes(0) ? 0 : hits.reduce((sum, hit) => sum + hit, 0);
  };
  return docs.map((doc) => [patterns.length ? weigh(doc) : 0, doc])
    .filter(([weight]) => weight > 0)
    .sort(([one], [other]) => other - one)
    .map(([, doc]) => doc);
}

// A piece of a text around the first of some words.
function summarize(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - SUMMARY / 4);
  const from = places.length ? start : 0;
  return (from ? "…" : "") + text.slice(from, from + SUMMARY);
}

function show(docs, query) {
  const list = document.getElementById("mkdocs-search-results");
  const articles = docs.map((doc) => {
    const article = document.createElement("article");
    const link = document.createElement("a");
    link.href = `${base_url}/${doc.location}`;
    link.textContent = doc.title;
    const summary = document.createElement("p");
    summary.textContent = summarize(doc.text, wordsOf(query));
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
  await load(`${base_url}/search/search_docs.js`);
  const search = () => show(findDocs(window.searchDocs, input.value), input.value);
  input.addEventListener("input", search);
  search();
}

document.addEventListener("DOMContentLoaded", startSearch);
