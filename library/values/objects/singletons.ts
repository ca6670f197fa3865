/** `NotImplemented` and `Ellipsis`. */
import { $repr, $typeName } from './protocol.ts';

class NotImplementedType {
  get [$typeName](): string {
    return 'NotImplementedType';
  }
  [$repr](): string {
    return 'NotImplemented';
  }
}

class EllipsisType {
  get [$typeName](): string {
    return 'ellipsis';
  }
  [$repr](): string {
    return 'Ellipsis';
  }
}

export const NotImplemented = new NotImplementedType();
export const Ellipsis = new EllipsisType();
