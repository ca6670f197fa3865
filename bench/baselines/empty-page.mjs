// The least that a page can be, from a server of Node alone: the time that Chromium takes for any page at all.
import http from 'node:http';

const page = '<!doctype html><html lang="en"><head><title>Empty</title></head><body><main>empty</main></body></html>';
http
  .createServer((_, response) => response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page))
  .listen(Number(process.argv[2]), '127.0.0.1');
