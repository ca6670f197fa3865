// Logs in ten times a second for at most `seconds`. `node logins.mjs <base address> <seconds>`
const [base, seconds] = process.argv.slice(2);
const until = Date.now() + Number(seconds) * 1000 + 2000;
while (Date.now() < until) {
  fetch(`${base}/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'user0', password: 'correct horse 1' }),
  }).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 100));
}
