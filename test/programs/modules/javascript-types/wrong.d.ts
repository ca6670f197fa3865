export function word(): string;
export function amount(): number;
