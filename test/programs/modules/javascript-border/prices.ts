export interface Price {
  amount: number;
  tags?: string[];
}

export function total(prices: Record<string, Price>): number {
  return Object.values(prices).reduce((sum, { amount }) => sum + amount, 0);
}

export function raise(price: Price, by: number): void {
  price.amount += by;
  price.tags = [...(price.tags ?? []), 'raised'];
}
