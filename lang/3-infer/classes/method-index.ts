import type { ClassInfo, FunctionInfo } from '../types.ts';

/** The methods of a program by name, and those of the subclasses of a class: found without looking through all that are called alike. */
export class MethodIndex {
  private readonly byName = new Map<string, FunctionInfo[]>();
  private readonly inherited = new Map<string, Map<ClassInfo, FunctionInfo[]>>();

  add(name: string, method: FunctionInfo): void {
    const same = this.byName.get(name);
    if (same === undefined) this.byName.set(name, [method]);
    else same.push(method);
    this.inherited.delete(name);
  }

  /** Methods of that name in classes below `cls`. */
  below(cls: ClassInfo, name: string): readonly FunctionInfo[] {
    let byBase = this.inherited.get(name);
    if (byBase === undefined) this.inherited.set(name, (byBase = byBases(this.byName.get(name) ?? [])));
    return byBase.get(cls) ?? none;
  }
}

const none: readonly FunctionInfo[] = [];

function byBases(methods: readonly FunctionInfo[]): Map<ClassInfo, FunctionInfo[]> {
  const found = new Map<ClassInfo, FunctionInfo[]>();
  for (const method of methods) {
    for (const base of method.owner?.bases ?? []) {
      const list = found.get(base);
      if (list === undefined) found.set(base, [method]);
      else list.push(method);
    }
  }
  return found;
}
