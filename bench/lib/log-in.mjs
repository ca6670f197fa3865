// Logs in at a steady pace until it is killed. `node log-in.mjs <base address> <logins a second> <user> <password>`
const [base, perSecond, username, password] = process.argv.slice(2);
const started = performance.now();
let failed = 0;
for (let n = 1; ; n++) {
  fetch(`${base}/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  }).then(
    async (answer) => {
      const text = await answer.text();
      if (!answer.ok && failed++ === 0) process.stderr.write(`a login was answered ${answer.status}: ${text}\n`);
    },
    (error) => process.stderr.write(`${error}\n`),
  );
  await new Promise((resolve) => setTimeout(resolve, started + (n * 1000) / perSecond - performance.now()));
}
