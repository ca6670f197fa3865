/** Module `mimetypes`: types of contents by the endings of names. */

import { functions, type Members } from '../builtins/module.ts';
import { nativeClass } from '../builtins/native-class.ts';
import { pathOf } from '../builtins/path-of.ts';
import { Dict } from '../values/containers/dict.ts';
import { type Tuple, tuple } from '../values/containers/tuple.ts';
import { requireText } from '../values/text/text-arguments.ts';

/** Types and their endings; the first is what a type is saved with. */
const table = `
text/plain txt bat c h log
text/html html htm
text/css css
text/csv csv
text/javascript js mjs
text/markdown md markdown
text/tab-separated-values tsv
text/x-python py
text/x-vcard vcf
text/vtt vtt
text/calendar ics
text/xml xml
application/json json
application/manifest+json webmanifest
application/octet-stream bin exe dll so obj
application/pdf pdf
application/rtf rtf
application/postscript ps eps ai
application/wasm wasm
application/x-sh sh
application/x-tar tar
application/x-7z-compressed 7z
application/java-archive jar
application/zip zip
application/xml xsl rdf wsdl
application/atom+xml atom
application/rss+xml rss
application/epub+zip epub
application/msword doc dot
application/vnd.ms-excel xls
application/vnd.ms-powerpoint ppt
application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
application/vnd.oasis.opendocument.text odt
application/vnd.oasis.opendocument.spreadsheet ods
application/vnd.apple.mpegurl m3u8 m3u
application/x-python-code pyc
application/yaml yaml yml
audio/aac aac
audio/flac flac
audio/midi mid midi
audio/mp4 m4a
audio/mpeg mp3 mp2
audio/ogg ogg oga
audio/opus opus
audio/x-wav wav
font/otf otf
font/ttf ttf
font/woff woff
font/woff2 woff2
image/avif avif
image/bmp bmp
image/gif gif
image/heic heic
image/jpeg jpg jpe jpeg
image/png png
image/svg+xml svg
image/tiff tiff tif
image/vnd.microsoft.icon ico
image/webp webp
message/rfc822 eml
video/mp4 mp4 m4v
video/mpeg mpeg mpg mpe
video/ogg ogv
video/quicktime mov qt
video/webm webm
video/x-matroska mkv
video/x-msvideo avi
`;

const suffixes = { '.svgz': '.svg.gz', '.tgz': '.tar.gz', '.taz': '.tar.gz', '.tbz2': '.tar.bz2', '.txz': '.tar.xz' };
const encodings = { '.gz': 'gzip', '.Z': 'compress', '.bz2': 'bzip2', '.xz': 'xz', '.br': 'br' };

/** Tables that a program may add to. */
class MimeTypes {
  readonly suffix_map = Dict.fromObject(suffixes);
  readonly encodings_map = Dict.fromObject(encodings);
  readonly $types = new Dict();

  constructor() {
    for (const line of table.trim().split('\n')) {
      const [type, ...endings] = line.split(' ');
      for (const ending of endings) this.$types.set(`.${ending}`, type);
    }
  }

  add_type(type: unknown, ending: unknown): null {
    this.$types.set(requireText(ending), requireText(type));
    return null;
  }

  /** The type and the compression of a path or an address. */
  guess_type(given: unknown): Tuple {
    let path = String(pathOf(given));
    const data = /^data:([^,;]*)[^,]*,/.exec(path);
    if (data !== null) return tuple(data[1]!.includes('/') ? data[1] : 'text/plain', null);
    const address = /^[a-zA-Z][\w+.-]+:\/\/[^/?#]*([^?#]*)/.exec(path);
    if (address !== null) path = address[1]!;
    let [rest, ending] = cut(path);
    for (let longer = this.suffix_map.get(ending); longer !== undefined; longer = this.suffix_map.get(ending))
      [rest, ending] = cut(rest + String(longer));
    const encoding = this.encodings_map.get(ending) ?? null;
    if (encoding !== null) [rest, ending] = cut(rest);
    return tuple(this.$types.get(ending) ?? this.$types.get(ending.toLowerCase()) ?? null, encoding);
  }

  guess_all_extensions(type: unknown): unknown[] {
    const wanted = requireText(type).toLowerCase();
    return [...this.$types.entries()].flatMap(([ending, one]) => (one === wanted ? [ending] : []));
  }

  guess_extension(type: unknown): unknown {
    return this.guess_all_extensions(type)[0] ?? null;
  }
}
const methods = {
  add_type: 'type, ext, strict=True',
  guess_all_extensions: 'type, strict=True',
  guess_extension: 'type, strict=True',
  guess_type: 'url, strict=True',
} as const;
nativeClass(MimeTypes, {
  name: 'MimeTypes',
  module: 'mimetypes',
  params: 'filenames=(), strict=True',
  make: () => new MimeTypes(),
  methods,
});

/** The name without its ending, and the ending. */
function cut(path: string): [string, string] {
  const found = /^((?:[\s\S]*\/)?[^/]*[^./][^/]*?)(\.[^./]*)$/.exec(path);
  return found === null ? [path, ''] : [found[1]!, found[2]!];
}

export function makeMimetypes(): Members {
  const shared = new MimeTypes();
  return {
    MimeTypes,
    encodings_map: shared.encodings_map,
    inited: true,
    knownfiles: [],
    suffix_map: shared.suffix_map,
    types_map: shared.$types,
    ...functions('mimetypes', {
      add_type: [methods.add_type, (type: unknown, ending: unknown) => shared.add_type(type, ending)],
      guess_all_extensions: [methods.guess_all_extensions, (type: unknown) => shared.guess_all_extensions(type)],
      guess_extension: [methods.guess_extension, (type: unknown) => shared.guess_extension(type)],
      guess_type: [methods.guess_type, (path: unknown) => shared.guess_type(path)],
      init: ['files=None', () => null],
    }),
  };
}
