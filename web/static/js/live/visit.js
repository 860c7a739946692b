// @ts-check
// Reports that the viewer has seen what was added to an open session. The server records
// the visit itself when the page is loaded.

const REPORT_DELAY = 2000; // ms from an addition to the report

/** @param {import('../session.js').SessionPage} session */
export function startVisits(session) {
  if (session.isSnapshot) return;
  let timer = 0, hasNews = false;
  const report = () => {
    clearTimeout(timer);
    timer = 0;
    hasNews = false;
    navigator.sendBeacon(`/sessions/${document.getElementById('app')?.dataset.key}/visit`);
  };
  const reportSoon = () => {
    if (hasNews && !timer && !document.hidden) timer = setTimeout(report, REPORT_DELAY);
  };
  session.onFactsChange(() => {
    hasNews = true;
    reportSoon();
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) reportSoon();
    else if (timer) report(); // additions after this one are not seen
  });
}
