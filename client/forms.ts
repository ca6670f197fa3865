/** Forms of `@svc/runtime`: schemas of zod, state of TanStack Form, fields with labels and errors. Loaded by programs that have forms. */
import { useForm } from '@tanstack/react-form';
import { type ChangeEvent, createElement, type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import * as zod from 'zod';

type Shape = Record<string, zod.ZodType>;

/** `SvcSchema({...})` is an object; its members are those of zod: `SvcSchema.string().min(1)`. */
export const SvcSchema = Object.defineProperties(
  (shape: Shape) => zod.object(shape),
  // Defined, not assigned: `length` of a function cannot be assigned.
  Object.fromEntries(Object.entries(zod).map(([name, value]) => [name, { value }])),
) as typeof zod & ((shape: Shape) => zod.ZodObject);

/** Moment at which errors are shown: while typing, on sending, on leaving a field, or while typing in fields that were left once. */
export type FormMode = 'onChange' | 'onSubmit' | 'onBlur' | 'onTouched';

export interface FormOptions {
  readonly schema: zod.ZodObject;
  readonly onSubmit: (values: any) => unknown;
  readonly form_mode?: FormMode;
  readonly defaultValues?: Record<string, unknown>;
  readonly validators?: Record<string, unknown>;
  readonly onSubmitInvalid?: (given: any) => unknown;
  /** Other options of TanStack's `useForm`. */
  readonly [other: string]: unknown;
}

/** A form of TanStack whose fields are checked by the schema. `useSvcForm(form_mode=…)` gives one object, `useSvcForm(mode, schema, f)` positions. */
export function useSvcForm(
  first: FormOptions | FormMode,
  schema?: zod.ZodObject,
  onSubmit?: (values: any) => unknown,
): any {
  const options: FormOptions =
    typeof first === 'string' ? { form_mode: first, schema: schema!, onSubmit: onSubmit! } : first;
  const { form_mode: mode = 'onTouched', schema: asked, onSubmit: send, onSubmitInvalid, ...others } = options;
  const moment = mode === 'onTouched' ? 'onChange' : mode;
  const [waits, setWaits] = useState(false);
  // On sending, TanStack asks those of every moment.
  const own = waits ? { [`${moment}Async`]: asked } : { [moment]: atOnce(asked, () => setWaits(true)) };
  const form = useForm({
    ...others,
    defaultValues: { ...emptyValues(asked), ...options.defaultValues },
    validators: { ...options.validators, ...own } as any,
    // TanStack looks at errors of earlier moments first, which may be mended without that moment having come again.
    onSubmitInvalid: async (given: any) => {
      await given.formApi.validate('submit');
      if (given.formApi.state.isValid) await given.formApi.handleSubmit(given.meta);
      else onSubmitInvalid?.(given);
    },
    onSubmit: async ({ value, formApi }) => {
      const parsed = await asked.safeParseAsync(value);
      if (!parsed.success) return; // the first time that a check waits: the effect below shows what it found
      const values: Record<string, unknown> = parsed.data;
      // Who knows TanStack's forms asks for `value` and `formApi`; fields of those names come first.
      for (const [name, given] of Object.entries({ value: values, formApi }))
        if (!(name in values)) Object.defineProperty(values, name, { value: given });
      await send(values);
    },
  });
  const cause = ({ onChange: 'change', onBlur: 'blur', onSubmit: 'submit' } as const)[moment];
  useEffect(() => {
    if (waits) void form.validate(cause);
  }, [waits, form, cause]);
  return form;
}

/** A schema for moments that cannot wait. What has to (`refine` with an async function) is told, and is no error yet. */
function atOnce(schema: zod.ZodObject, tell: () => void): unknown {
  const { validate, ...standard } = schema['~standard'];
  const check = (value: unknown) => {
    const found = validate(value);
    if (!(found instanceof Promise)) return found;
    tell();
    return { value };
  };
  return { '~standard': { ...standard, validate: check } };
}

/** Values of an untouched form: a field of each kind has an own, so that inputs are controlled from the start. */
function emptyValues(schema: zod.ZodObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(innermost(schema).shape as Shape).map(([name, type]) => [name, emptyValue(type)]),
  );
}

function emptyValue(type: any): unknown {
  const { def } = type;
  if (def.type === 'default') return typeof def.defaultValue === 'function' ? def.defaultValue() : def.defaultValue;
  const inner = innermost(type);
  if (inner.def.type === 'object') return emptyValues(inner);
  if (inner.def.type === 'array') return [];
  return inner.def.type === 'boolean' ? false : blank(type);
}

/** Value of an input with nothing in it: none, where a field may be left out and its type has no empty text. */
function blank(type: any): '' | undefined {
  if (!['optional', 'default', 'prefault'].includes(type.def.type)) return '';
  const { def, format, minLength } = innermost(type);
  return def.type === 'string' && !format && !minLength ? '' : undefined;
}

/** The type below `optional`, `nullable`, `default` and transforms. */
function innermost(type: any): any {
  let at = type;
  while (at.def.innerType !== undefined || at.def.in !== undefined) at = at.def.innerType ?? at.def.in;
  return at;
}

export interface FieldConfig {
  readonly label?: string;
  readonly type?: string;
  readonly placeholder?: string;
  readonly inputClassName?: string;
  readonly labelClassName?: string;
  readonly rows?: number;
  readonly showPasswordToggle?: boolean;
}

export interface SvcFormProps {
  readonly schema: zod.ZodObject;
  readonly onSubmit: (values: any) => unknown;
  readonly field_config?: Record<string, FieldConfig>;
  readonly layout?: 'vertical' | 'grid' | 'inline';
  readonly gridColumns?: number;
  readonly validateMode?: FormMode;
  readonly submitLabel?: string;
  readonly submitClassName?: string;
  readonly className?: string;
  readonly defaultValues?: Record<string, unknown>;
}

/** A whole form, made from its schema. */
export function SvcForm(props: SvcFormProps): ReactNode {
  const {
    schema,
    onSubmit,
    field_config: fields = {},
    layout = 'vertical',
    gridColumns = 2,
    validateMode = 'onTouched',
    submitLabel = 'Submit',
  } = props;
  const [failure, setFailure] = useState<string>();
  const options = {
    form_mode: validateMode,
    schema,
    ...(props.defaultValues === undefined ? {} : { defaultValues: props.defaultValues }),
  };
  const form = useSvcForm({
    ...options,
    onSubmit: async (values: unknown) => {
      setFailure(undefined);
      try {
        await onSubmit(values);
      } catch (error) {
        setFailure(error instanceof Error ? error.message : String(error));
      }
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    void form.handleSubmit();
  };
  const rows = partsOf(schema, '', { form, fields });
  const selector = (state: any) => state.isSubmitting;
  const button = createElement(form.Subscribe as any, { key: '$submit', selector }, ((isSubmitting: boolean) =>
    createElement(
      'button',
      { type: 'submit', disabled: isSubmitting, className: props.submitClassName },
      submitLabel,
    )) as any);
  const alert = failure === undefined ? null : createElement('p', { key: '$failure', role: 'alert' }, failure);
  return createElement(
    'form',
    { onSubmit: submit, noValidate: true, className: props.className, style: layouts[layout](gridColumns) },
    [...rows, alert, button],
  );
}

const layouts = {
  vertical: () => ({ display: 'grid', gap: '1rem' }),
  grid: (columns: number) => ({
    display: 'grid',
    gap: '1rem',
    gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
  }),
  inline: () => ({ display: 'flex', flexWrap: 'wrap' as const, gap: '1rem', alignItems: 'end' }),
};

interface FormParts {
  readonly form: any;
  /** Configurations by paths without indexes: `address.city`, `items.title`. */
  readonly fields: Record<string, FieldConfig>;
}

/** Fields of an object at `path`; the form itself has none. */
function partsOf(type: any, path: string, parts: FormParts): ReactNode[] {
  return Object.entries(innermost(type).shape as Shape).map(([name, of]) =>
    partOf(path === '' ? name : `${path}.${name}`, labelOf(name), of, parts),
  );
}

/** A field, the group of an object, or the rows of a list, unless its configuration says what it is. */
function partOf(name: string, words: string, type: any, parts: FormParts): ReactNode {
  const { form, fields } = parts;
  const config = fields[name.replace(/\[\d+\]/g, '')] ?? {};
  const { def, element } = innermost(type);
  const label = name.endsWith(']') ? words : (config.label ?? words);
  const group = (children: ReactNode[]) =>
    createElement(
      'fieldset',
      { key: name, style: { display: 'grid', gap: '1rem', gridColumn: '1 / -1', minWidth: 0 } },
      createElement('legend', { className: config.labelClassName }, label),
      ...children,
    );
  if (config.type === undefined && def.type === 'object') return group(partsOf(type, name, parts));
  const isList = config.type === undefined && def.type === 'array';
  const draw: any = (field: any) => {
    if (!isList) return createElement(Field, { field, name, type, label, config });
    const { value, meta } = field.state;
    const count: number = value?.length ?? 0;
    const button = (text: string, onClick: () => void, spoken: string, disabled = false) =>
      createElement('button', { type: 'button', 'aria-label': spoken, disabled, onClick }, text);
    return group([
      ...Array.from({ length: count }, (_, i) => {
        const title = `${label} ${i + 1}`;
        return createElement(
          'div',
          { key: i },
          partOf(`${name}[${i}]`, title, element, parts),
          button('Up', () => field.moveValue(i, i - 1), `Move ${title} up`, i === 0),
          button('Down', () => field.moveValue(i, i + 1), `Move ${title} down`, i === count - 1),
          button('Remove', () => field.removeValue(i), `Remove ${title}`),
        );
      }),
      button('Add', () => field.pushValue(emptyValue(element)), `Add to ${label}`),
      problemOf(meta),
    ]);
  };
  return createElement(form.Field, { key: name, name, ...(isList ? { mode: 'array' } : {}) }, draw);
}

/** First error of a field that was touched. */
function problemOf({ isTouched, errors }: any, id?: string): ReactNode {
  if (!isTouched || errors.length === 0) return null;
  return createElement('p', { key: 'error', id, role: 'alert' }, errors[0]?.message ?? String(errors[0]));
}

interface FieldProps {
  readonly field: any;
  readonly name: string;
  readonly type: any;
  readonly label: string;
  readonly config: FieldConfig;
}

function Field({ field, name, type, label: words, config }: FieldProps): ReactNode {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const { meta, value } = field.state;
  const problem = problemOf(meta, `${id}-error`);
  const kind = config.type ?? kindOf(name, type);
  const shared = {
    id,
    name,
    className: config.inputClassName,
    placeholder: config.placeholder,
    onBlur: field.handleBlur,
    'aria-invalid': problem !== null,
    'aria-describedby': problem !== null ? `${id}-error` : undefined,
  };
  // A group of buttons is no control that a label could name by its id.
  const naming = kind === 'radio' ? { id: `${id}-label` } : { htmlFor: id };
  const label = createElement(
    kind === 'radio' ? 'span' : 'label',
    { key: 'label', ...naming, className: config.labelClassName },
    words,
  );
  const input = inputFor({ kind, shared, value, type, rows: config.rows, isShown, change: field.handleChange });
  const toggle =
    kind === 'password' && config.showPasswordToggle === true
      ? createElement(
          'button',
          { key: 'toggle', type: 'button', 'aria-pressed': isShown, onClick: () => setShown(!isShown) },
          isShown ? 'Hide' : 'Show',
        )
      : null;
  return createElement('div', null, [label, input, toggle, problem]);
}

interface InputParts {
  readonly kind: string;
  readonly shared: Record<string, unknown>;
  readonly value: any;
  readonly type: any;
  readonly rows: number | undefined;
  readonly isShown: boolean;
  readonly change: (value: unknown) => void;
}

function inputFor({ kind, shared, value, type, rows, isShown, change }: InputParts): ReactNode {
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    if (target.value === '') change(blank(type));
    else change(kind === 'number' ? Number(target.value) : target.value);
  };
  switch (kind) {
    case 'checkbox':
      return createElement('input', {
        ...shared,
        key: 'input',
        type: 'checkbox',
        checked: Boolean(value),
        onChange: ({ target }: ChangeEvent<HTMLInputElement>) => change(target.checked),
      });
    case 'textarea':
      return createElement('textarea', { ...shared, key: 'input', rows: rows ?? 4, value: value ?? '', onChange });
    case 'select': {
      const options = [
        createElement('option', { key: '', value: '' }, ''),
        ...choices(type).map((one) => createElement('option', { key: one, value: one }, labelOf(one))),
      ];
      return createElement('select', { ...shared, key: 'input', value: value ?? '', onChange }, options);
    }
    case 'radio':
      return createElement(
        'div',
        {
          key: 'input',
          role: 'radiogroup',
          'aria-labelledby': `${shared['id']}-label`,
          'aria-describedby': shared['aria-describedby'],
        },
        choices(type).map((one) =>
          createElement(
            'label',
            { key: one },
            createElement('input', {
              ...shared,
              id: undefined,
              type: 'radio',
              value: one,
              checked: value === one,
              onChange,
            }),
            ` ${labelOf(one)}`,
          ),
        ),
      );
    default:
      return createElement('input', {
        ...shared,
        key: 'input',
        type: kind === 'password' && isShown ? 'text' : kind,
        value: value ?? '',
        onChange,
      });
  }
}

/** The kind of input that suits a field: by its type, then by its name. */
function kindOf(name: string, type: any): string {
  const inner = innermost(type);
  if (inner.def.type === 'boolean') return 'checkbox';
  if (inner.def.type === 'number') return 'number';
  if (inner.def.type === 'date') return 'date';
  if (choices(type).length > 0) return 'select';
  if (inner.format === 'email' || /email/i.test(name)) return 'email';
  return /password/i.test(name) ? 'password' : 'text';
}

function choices(type: any): string[] {
  const inner = innermost(type);
  return (inner.options ?? []).filter((one: unknown) => typeof one === 'string') as string[];
}

/** `first_name` and `firstName` are shown as "First name". */
function labelOf(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
