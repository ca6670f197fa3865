// The floor: bare node:http, JSON in, JSON out.
import http from 'node:http';

http
  .createServer((request, response) => {
    let first = null;
    let rest = null;
    request.on('data', (chunk) => {
      if (first === null) first = chunk;
      else (rest ??= [first]).push(chunk);
    });
    request.on('end', () => {
      const body = JSON.parse((rest ? Buffer.concat(rest) : first).toString());
      const text = JSON.stringify({ status: 200, reports: [{ greeting: `hello ${body.name}`, echo: body }] });
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
      response.end(text);
    });
  })
  .listen(Number(process.env.PORT), '127.0.0.1');
