import { expect, test } from 'vitest';
import { codes, expression } from './parse-for-tests.ts';

test.each([
  ['<br/>', '(Markup tag=br)'],
  ['<></>', '(Markup)'],
  ['<a>b</a>', '(Markup tag=a children=[(MarkupText value=b)])'],
  ['<App x/>', '(Markup tag=App attributes=[(MarkupAttribute name=x)])'],
  ['<a.B.c/>', '(Markup tag=(Attribute object=(Attribute object=a name=B) name=c))'],
  ['<my-el svg:x-y="1"/>', '(Markup tag=my-el attributes=[(MarkupAttribute name=svg:x-y value="1")])'],
  ['<_x/>', '(Markup tag=_x)'],
  [
    '<Box $on={a} $x-y/>',
    '(Markup tag=Box attributes=[(MarkupAttribute name=$on value=a) (MarkupAttribute name=$x-y)])',
  ],
  ['<@tag.x/>', '(Markup tag=(Attribute object=tag name=x))'],
  ['<@{f()}>b</@{ f() }>', '(Markup tag=(Call callee=f) children=[(MarkupText value=b)])'],
  [
    '<a b=\'c\' d={e} f = {{"g": 1}} {h} {**i} {...j}/>',
    '(Markup tag=a attributes=[(MarkupAttribute name=b value="c") (MarkupAttribute name=d value=e) (MarkupAttribute name=f value=(DictExpr entries=[{key="g" value=1}])) (MarkupAttribute name=h value=h) (MarkupAttribute value=i) (MarkupAttribute value=j)])',
  ],
  [
    '<a\n # x\n b #* y *# c={f"{d}"} e=f"{g}"/>',
    '(Markup tag=a attributes=[(MarkupAttribute name=b) (MarkupAttribute name=c value=(Joined parts=[(FormatPart expr=d)])) (MarkupAttribute name=e value=(Joined parts=[(FormatPart expr=g)]))])',
  ],
  [
    '<a onClick={lambda { f(); }}/>',
    '(Markup tag=a attributes=[(MarkupAttribute name=onClick value=(Lambda signature=(Signature) body=(Block statements=[(ExprStatement expr=(Call callee=f) semicolon)])))])',
  ],
  [
    "<p>Don't {a} &amp; &#65;&#x42;&nope; < b # c</p>",
    "(Markup tag=p children=[(MarkupText value=Don't ) (MarkupSlot expr=a) (MarkupText value= & AB&nope; < b # c)])",
  ],
  ['<p>\n  a\n  b  \n\n</p>', '(Markup tag=p children=[(MarkupText value=a b)])'],
  ['<p> {a} </p>', '(Markup tag=p children=[(MarkupText value= ) (MarkupSlot expr=a) (MarkupText value= )])'],
  ['<p>\n {a}\n # note <b> {c}\n d\n</p>', '(Markup tag=p children=[(MarkupSlot expr=a) (MarkupText value=d)])'],
  [
    '<p>\n #news {a}\n #{b}\n</p>',
    '(Markup tag=p children=[(MarkupText value=#news ) (MarkupSlot expr=a) (MarkupText value=#) (MarkupSlot expr=b)])',
  ],
  ['<p>{#* x *#}{"#"}</p>', '(Markup tag=p children=[(MarkupSlot expr="#")])'],
  [
    '<p>{<b/> if a else <c>{d}</c>}</p>',
    '(Markup tag=p children=[(MarkupSlot expr=(Conditional test=a then=(Markup tag=b) orElse=(Markup tag=c children=[(MarkupSlot expr=d)])))])',
  ],
  [
    '<p>{[<b key={i}/> for i in xs]}</p>',
    '(Markup tag=p children=[(MarkupSlot expr=(Comprehension sort=list value=(Markup tag=b attributes=[(MarkupAttribute name=key value=i)]) clauses=[(CompClause target=i iter=xs)]))])',
  ],
  [
    '<p>{for x in xs { <b/> <c/> if x { skip; } d }}</p>',
    '(Markup tag=p children=[(MarkupSlot statements=[(ForIn target=x iter=xs body=(Block statements=[(ExprStatement expr=(Markup tag=b)) (ExprStatement expr=(Markup tag=c)) (IfStatement test=x body=(Block statements=[(CtrlStatement word=skip)])) (ExprStatement expr=d)] tail=(ExprStatement expr=d)))])])',
  ],
  [
    '<p>{if a { <b/> } elif c { <d/> } else { e }}</p>',
    '(Markup tag=p children=[(MarkupSlot statements=[(IfStatement test=a body=(Block statements=[(ExprStatement expr=(Markup tag=b))] tail=(ExprStatement expr=(Markup tag=b))) orElse=(IfStatement test=c body=(Block statements=[(ExprStatement expr=(Markup tag=d))] tail=(ExprStatement expr=(Markup tag=d))) orElse=(Block statements=[(ExprStatement expr=e)] tail=(ExprStatement expr=e))))])])',
  ],
  [
    '<p>{f(); x = 1; <b/>}</p>',
    '(Markup tag=p children=[(MarkupSlot statements=[(ExprStatement expr=(Call callee=f) semicolon) (AssignStatement targets=[x] value=1) (ExprStatement expr=(Markup tag=b))])])',
  ],
  [
    '<p>{try { <A/> } awaiting { <B/> } except E { <C/> }}</p>',
    '(Markup tag=p children=[(MarkupSlot statements=[(TryStatement body=(Block statements=[(ExprStatement expr=(Markup tag=A))] tail=(ExprStatement expr=(Markup tag=A))) awaiting=(Block statements=[(ExprStatement expr=(Markup tag=B))] tail=(ExprStatement expr=(Markup tag=B))) handlers=[(ExceptClause type=E body=(Block statements=[(ExprStatement expr=(Markup tag=C))] tail=(ExprStatement expr=(Markup tag=C))))])])])',
  ],
  ['a and <b/>', '(Logical op=and left=a right=(Markup tag=b))'],
  ['(a <b)', '(Compare operands=[a b] ops=[<])'],
  ['x<y', '(Compare operands=[x y] ops=[<])'],
])('%s', (text, tree) => {
  expect(expression(text)).toBe(tree);
});

const component = (markup: string) => `cl def A {\n  return ${markup};\n}\ndef after { ok(); }\n`;

test('what is wrong with markup', () => {
  expect(codes(component('<a><b></a>'))).toEqual(['E0170 </a>']);
  expect(codes(component('<a></b></a>'))).toEqual(['E0170 </b>']);
  expect(codes(component('<a><b><c></a>'))).toEqual(['E0170 </a>']);
  expect(codes(component('<a>{}</a>'))).toEqual(['E0171 {}']);
  expect(codes(component('<a>{/* x */}</a>'))).toEqual(['W0130 {/* x */}']);
  expect(codes(component('<a>{# x #}<b/>{# y #}</a>'))).toEqual(['W0130 {# x #}', 'W0130 {# y #}']);
  expect(codes(component('<a>{# x\nb}{#* y *#}</a>'))).toEqual([]);
  expect(codes(component('<a>\n # x\n </a>'))).toEqual(['W0141 # x']);
  expect(codes(component('<a b=5/>'))).toEqual(['E0110 5']);
  expect(codes(component('<a $/>'))).toEqual(['E0110 $']);
  expect(codes(component('<a {b c}/>'))).toEqual(['E0110 b']);
  expect(codes(component('<a>{b c}</a>'))).toEqual(['E0110 c']);
  expect(codes(component('<a>{b ? <c/> : <d/>}</a>'))).toEqual(['E0150 ?']);
});

test('unterminated markup is one diagnostic, and the code behind it is read', () => {
  expect(codes('cl {\ndef f -> any { return <a><b>x</b>; }\n}')).toEqual(['E0104 <a']);
  expect(codes('cl {\ndef f -> any { return <a><b>x</b>; }\n}\ndef g {')).toEqual(['E0104 <a', 'E0111']);
  expect(codes(component('<a>text { b } <c>'))).toEqual(['E0104 <a']);
  expect(codes(component('<a b={'))).toEqual(['E0104 <a']);
  expect(codes(component('<a b'))).toContain('E0104 <a');
  expect(codes(`${component('<a>')}def g { x = ; }`)).toEqual(['E0104 <a', 'E0112 ;']);
});
