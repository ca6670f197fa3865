const text = (type: string) => `${type}; charset=utf-8`;

const types: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  css: text('text/css'),
  csv: text('text/csv'),
  gif: 'image/gif',
  gz: 'application/gzip',
  htm: text('text/html'),
  html: text('text/html'),
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: text('text/javascript'),
  json: text('application/json'),
  jsonld: text('application/ld+json'),
  map: text('application/json'),
  md: text('text/markdown'),
  mjs: text('text/javascript'),
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  otf: 'font/otf',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: text('image/svg+xml'),
  tar: 'application/x-tar',
  ttf: 'font/ttf',
  txt: text('text/plain'),
  wasm: 'application/wasm',
  wav: 'audio/wav',
  webm: 'video/webm',
  webmanifest: text('application/manifest+json'),
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xml: text('application/xml'),
  zip: 'application/zip',
};

/** The content type of a file by the last part of its name; bytes for what is not known. */
export function mediaTypeOf(name: string): string {
  return knownTypeOf(name) ?? 'application/octet-stream';
}

/** The same; undefined for what is not known. */
export function knownTypeOf(name: string): string | undefined {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : types[name.slice(dot + 1).toLowerCase()];
}
