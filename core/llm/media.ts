/** Values a prompt carries as they are: pictures, films and plain text (docs/language/delegation.md#by). */
import { nativeClass } from '../../library/builtins/native-class.ts';
import { $repr } from '../../library/values/objects/protocol.ts';
import { reprOf } from '../../library/values/objects/repr.ts';

/** A picture: an address, a path of a file, or its bytes. */
export class Image {
  readonly url: unknown;
  readonly mime_type: unknown;

  constructor(url: unknown, mimeType: unknown) {
    this.url = url;
    this.mime_type = mimeType ?? null;
  }

  [$repr](): string {
    return typeof this.url === 'string' ? `Image(${reprOf(this.url)})` : 'Image(<bytes>)';
  }
}
nativeClass(Image, { name: 'Image', module: 'byllm.types', params: 'url, mime_type=None' });

/** A film: an address or a path of a file. */
export class Video {
  readonly path: unknown;
  readonly fps: unknown;

  constructor(path: unknown, fps: unknown) {
    this.path = path;
    this.fps = fps ?? 1;
  }

  [$repr](): string {
    return `Video(${reprOf(this.path)})`;
  }
}
nativeClass(Video, { name: 'Video', module: 'byllm.types', params: 'path, fps=None' });

/** Text that stands in the prompt without quotes. */
export class Text {
  readonly text: unknown;

  constructor(text: unknown) {
    this.text = text;
  }

  [$repr](): string {
    return `Text(${reprOf(this.text)})`;
  }
}
nativeClass(Text, { name: 'Text', module: 'byllm.types', params: 'text' });
