// The report that the page carries.

const report = JSON.parse(document.getElementById("report").textContent);
const results = report.results;
const VERDICTS = ["fail", "inconclusive", "warn", "xfail", "pass", "skip"];
const SHOWN_ARROWS = 60;
const SEARCHED_MESSAGES = 8;  // A conversation of so many has a search.
const LONG_MESSAGE = 200;  // Characters.

// toneOf is the class of a verdict; "skip" alone is the link at the top.
const toneOf = (verdict) => (verdict === "skip" ? "skip-verdict" : verdict);
const areaOf = (result) => result.area || "general";
const count = (list, verdict) => list.filter((one) => one.verdict === verdict).length;
