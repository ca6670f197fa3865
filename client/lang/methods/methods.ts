/** Methods of one kind of value by name: called with the receiver, the positions and the keywords. */
export type Methods = Readonly<Record<string, (receiver: any, args: any[], named: Record<string, any>) => any>>;
