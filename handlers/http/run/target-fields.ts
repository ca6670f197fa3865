import type { BindField } from '../bind/binder.ts';
import { coercerFor } from '../bind/coercer.ts';
import { isUpload } from '../bind/is-upload.ts';
import type { TargetField } from './served-target.ts';

/** A field as the binder takes it. */
export function bindField(field: TargetField): BindField {
  const upload = isUpload(field.type) ? (hasUploadList(field.type) ? 'list' : 'one') : undefined;
  const { name, type, isRequired, isHidden } = field;
  return { name, type, coerce: coercerFor(type), isRequired, isHidden, upload };
}

function hasUploadList(type: TargetField['type']): boolean {
  return type.t === 'list' || (type.t === 'union' && type.of.some(hasUploadList));
}

/** Whether a type names a declaration of the program. */
export function mayReferTo(type: TargetField['type']): boolean {
  switch (type.t) {
    case 'ref':
      return true;
    case 'list':
    case 'set':
    case 'frozenset':
    case 'iterator':
      return mayReferTo(type.of);
    case 'tuple':
      return (type.items?.some(mayReferTo) ?? false) || (type.of !== undefined && mayReferTo(type.of));
    case 'dict':
      return mayReferTo(type.key) || mayReferTo(type.value);
    case 'union':
      return type.of.some(mayReferTo);
    default:
      return false;
  }
}
