// Loaded into a server with `--require`: how long its event loop was busy without a pause. Counts processor time of the main thread, so
// that other programs on the machine do not show. Watches from one SIGUSR2 to the next, which writes the longest stretch, in
// milliseconds, to the file LOOP_PROBE.
const { readFileSync, writeFileSync } = require('node:fs');

/** Nanoseconds the main thread has spent on a processor. */
const onProcessor = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]);

let timer;
let last = 0;
let longest = 0;
function look() {
  const now = onProcessor();
  longest = Math.max(longest, now - last);
  last = now;
}

process.on('SIGUSR2', () => {
  if (timer === undefined) {
    longest = 0;
    last = onProcessor();
    timer = setInterval(look, 1);
    return;
  }
  clearInterval(timer);
  timer = undefined;
  writeFileSync(process.env.LOOP_PROBE, String(longest / 1e6));
});
