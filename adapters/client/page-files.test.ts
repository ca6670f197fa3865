import { expect, test } from 'vitest';
import { pageAddresses, pageFiles } from './page-files.ts';

const component = (path: string) => ({ path: `/app/pages/${path}`, name: 'page' });

test('a page takes the files of its layouts and its own, under the address of the router', () => {
  const routes = [
    {
      component: component('layout.svc'),
      children: [
        { index: true as const, component: component('index.svc') },
        { path: 'tasks/:id', component: component('task.svc') },
        { guarded: true as const, children: [{ path: 'mine', component: component('mine.svc') }] },
        { path: 'docs', children: [{ path: '*', component: component('docs.svc') }] },
      ],
    },
  ];
  expect(pageAddresses(routes)).toEqual(['/', '/tasks/:id', '/mine', '/docs/*']);
  const found = pageFiles(routes, (path) => ({
    scripts: ['shared.js', `${path.slice('/app/pages/'.length)}.js`],
    styles: path.includes('layout') ? ['layout.css'] : [],
  }));
  expect(found.map(({ pattern, scripts }) => [pattern, ...scripts])).toEqual([
    ['/', 'shared.js', 'layout.svc.js', 'index.svc.js'],
    ['/tasks/:id', 'shared.js', 'layout.svc.js', 'task.svc.js'],
    ['/docs/*', 'shared.js', 'layout.svc.js', 'docs.svc.js'],
  ]);
  expect(found[1]!.styles).toEqual(['layout.css']);
});
