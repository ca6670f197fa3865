// Loaded into a server with `--require`: how long its event loop was busy without a pause. Counts processor time of the main thread, so
// that other programs on the machine do not show. Writes the longest stretch since the last look, in milliseconds, to LOOP_PROBE.
const { readFileSync, writeFileSync } = require('node:fs');

/** Nanoseconds the main thread has spent on a processor. */
const onProcessor = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]);

let last = onProcessor();
let longest = 0;
setInterval(() => {
  const now = onProcessor();
  longest = Math.max(longest, now - last);
  last = now;
}, 1).unref();
process.on('SIGUSR2', () => {
  writeFileSync(process.env.LOOP_PROBE, String(longest / 1e6));
  longest = 0;
});
