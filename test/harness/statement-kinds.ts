/** A program for debuggers with a statement of each kind, and what is to be seen at each (S4: right line and variables). */

/** A statement of each kind, each on a line of its own with what is to be seen there. */
export const kinds = `node Item { has name: str; has n: int = 0; }
walker Look {
    has seen: int = 0;
    can start with Root entry {
        visit [-->];  # self.seen = 0
    }
    can see with Item entry {
        self.seen += 1;  # here = Item(name='a', n=0)
        report here.name;  # visitor = Look(seen=1)
        if here.name == "never" { skip; }  # self = Look(seen=1)
        disengage;  # here = Item(name='a', n=0)
    }
}
def all_kinds(given: int) -> int {
    total = given;  # given = 5
    total += 1;  # total = 5
    (a, b) = (1, 2);  # total = 6
    if total > 5 { total = total; }  # a = 1
    while total < 6 { break; }  # b = 2
    for item in [7] { total = item; }  # total = 6
    for k = 0 to k < 1 by k += 1 { total += k; }  # total = 7
    match total { case 7: total = 8; case _: total = 0; }  # k = 1
    switch total { case 8: total = 9; }  # total = 8
    with open("file.txt", "w") as f { f.write("x"); }  # total = 9
    print("said");  # total = 9
    names: list = ["x", "y"];  # a = 1
    del names[0];  # names = ['x', 'y']
    assert names == ["y"];  # names = ['y']
    def inner(x: int) -> int { return x + total; }  # total = 9
    import math;  # total = 9
    square = lambda x: int -> int { return x * x; };  # names = ['y']
    try {
        raise ValueError("bad");  # total = 9
    } except ValueError as error {
        total = inner(square(1));  # error = ValueError('bad')
    } finally {
        total -= 1;  # total = 10
    }
    return total;  # total = 9
}
with entry {
    root ++> Item(name="a");
    root spawn Look();
    glob_result = all_kinds(5);
    print(glob_result);
}
`;

export interface Sight {
  readonly line: number;
  readonly name: string;
  readonly value: string;
}

/** Values that the comments of the program name. */
export const sights: readonly Sight[] = kinds.split('\n').flatMap((line, i) => {
  const [, name, value] = /# ([\w.]+) = (.*)$/.exec(line) ?? [];
  return name === undefined || value === undefined ? [] : [{ line: i + 1, name, value }];
});
