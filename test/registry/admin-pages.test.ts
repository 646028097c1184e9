import { AdminPage, type AdminPageDeclaration, type PageBlock, type PageTable, provide } from '@keyhost/spi';
import test from 'ava';
import { REALM_MANAGEMENT_ROLES } from '../../core/model/built-in-names.js';
import { checkDefinition } from '../../core/registry/loading/plugin-shape.js';

const FORM = {
  kind: 'form',
  id: 'add',
  title: 'Add',
  schema: { type: 'object' },
  submit: { operation: 'add' },
  submitTitle: 'Add',
} as const satisfies PageBlock;
const TABLE = {
  kind: 'table',
  id: 'all',
  title: 'All',
  rows: { operation: 'list' },
  key: '/id',
  columns: [{ title: 'Id', at: '/id' }],
  empty: 'None',
} as const satisfies PageTable;
const PAGE: AdminPageDeclaration = {
  title: { en: 'Things', de: 'Dinge', 'pt-BR': 'Coisas' },
  at: 'realm',
  view: ['view-realm'],
  manage: ['manage-realm'],
  operations: {
    list: { method: 'GET' },
    add: { method: 'POST', body: { type: 'object' } },
    drop: { method: 'DELETE' },
  },
  blocks: [TABLE, FORM],
};

/** Returns why a plugin with this page is rejected; undefined if the page is accepted. */
function rejectionOf(changes: object): string | undefined {
  const open = () => ({ create: () => ({}) });
  const definition = provide(AdminPage, { id: 'things', ...PAGE, ...changes, open });
  try {
    checkDefinition(definition, { name: 'acme', builtin: false });
    return undefined;
  } catch (error) {
    const { code, plugin, message } = error as { code: string; plugin: string; message: string };
    if (code !== 'plugin_shape' || plugin !== 'acme') throw error;
    return message.replace('acme: admin-page/things: ', '');
  }
}

const blocks = (...changed: object[]) => ({ blocks: changed });
const column = (changes: object) => blocks({ ...TABLE, columns: [{ title: 'Id', at: '/id', ...changes }] }, FORM);
const repeat = <T>(count: number, item: T) => Array.from({ length: count }, () => item);
const withLink = (to: string) => blocks({ kind: 'text', text: 'See', link: { title: 'Here', to } });

test('admin pages of plugins: a page that keeps to the contract is loaded, with every block, text and link that there is', (t) => {
  t.is(rejectionOf({}), undefined);
  const form = { ...FORM, opens: 'by-action', fields: { '/a': { title: { en: 'A', de: 'Ä' }, help: 'Help' } } };
  const rowAction = { title: 'Change', does: { form: 'add' }, confirm: 'Sure?', danger: true };
  const table = {
    ...TABLE,
    search: true,
    columns: [
      ...repeat(11, { title: 'Id', at: '/id' }),
      { title: 'State', at: '/a~1b', as: { badge: { ok: 'good' } } },
    ],
    actions: [{ title: 'Add', does: { form: 'add' } }],
    rowActions: [rowAction, { title: 'Drop', does: { operation: 'drop', with: { id: { row: '/id' } } } }],
  };
  const submit = { operation: 'add', with: { id: { row: '/id' }, user: { subject: 'id' } } };
  const result = { show: [{ title: 'Link', at: '/link', as: 'link', once: true }], reload: ['all'] };
  const initial = { operation: 'read', with: { id: { row: '' } } };
  const operations = { ...PAGE.operations, read: { method: 'GET' } };
  t.is(rejectionOf({ at: 'user', operations, ...blocks(table, { ...form, submit, result, initial }) }), undefined);
  t.is(rejectionOf(blocks(...repeat(20, { kind: 'text', text: '<script>', tone: 'info' }))), undefined, 'text is text');
  for (const link of ['/', '/users', '/users/a?b#c', 'https://docs.example.test/a']) {
    t.is(rejectionOf(withLink(link)), undefined, link);
  }
  t.is(rejectionOf({ manage: [], operations: { list: { method: 'GET' } }, ...blocks(TABLE) }), undefined);
});

test('admin pages of plugins: a page with unknown or too many members is refused at its place', (t) => {
  const cases: readonly [object, RegExp][] = [
    [{ icon: 'star' }, /^unknown member "icon" of provide\(\)/],
    [{ title: { de: 'Dinge' } }, /^title "en" is missing/],
    [{ title: { en: 'x', 'not a language': 'x' } }, /^title/],
    [{ title: '' }, /^title must not be empty/],
    [{ at: 'nowhere' }, /^at must be one of realm, user, client, provider/],
    [{ view: [] }, /^view/],
    [{ view: ['veiw-realm'] }, /^view\[0\] must be one of/],
    [{ manage: [] }, /^manage is empty: no admin can call operations\.add/],
    [{ operations: { 'a b': { method: 'GET' } } }, /^operations/],
    [{ operations: { ...PAGE.operations, x: { method: 'PATCH' } } }, /^operations\.x\.method must be one of GET, POST/],
    [{ operations: { ...PAGE.operations, x: { method: 'GET', role: 'x' } } }, /^operations\.x\.role unknown key/],
    [{ operations: { ...PAGE.operations, constructor: { method: 'GET' } } }, /cannot have that name/],
    [{ operations: { ...PAGE.operations, close: { method: 'PUT' } } }, /cannot have that name/],
    [
      { operations: { ...PAGE.operations, list: { method: 'GET', body: { type: 'object' } } } },
      /^operations\.list\.body: a GET has no body/,
    ],
    [
      { operations: { ...PAGE.operations, add: { method: 'POST', body: { type: 'array' } } } },
      /^operations\.add\.body must be of type object/,
    ],
    [
      { operations: { ...PAGE.operations, add: { method: 'POST', body: { type: 'object', minimum: 'x' } } } },
      /^operations\.add\.body is not a valid JSON Schema/,
    ],
    [blocks(), /^blocks/],
    [blocks(...repeat(21, { kind: 'text', text: 'x' })), /^blocks/],
    [blocks({ kind: 'html', text: 'x' }), /^blocks\[0\]\.kind must be one of text, table, form/],
    [blocks({ kind: 'text', text: 'x', html: 'x' }), /^blocks\[0\]\.html unknown key/],
    [blocks({ ...TABLE, columns: repeat(13, TABLE.columns[0]) }), /^blocks\[0\]\.columns/],
    [column({ as: 'html' }), /^blocks\[0\]\.columns\[0\]\.as must be one of text, code/],
    [column({ as: { badge: { ok: 'purple' } } }), /^blocks\[0\]\.columns\[0\]\.as\.badge\.ok must be one of good/],
    [column({ at: 'id' }), /^blocks\[0\]\.columns\[0\]\.at must be a JSON pointer/],
    [column({ at: '/a~2' }), /^blocks\[0\]\.columns\[0\]\.at/],
    [blocks({ ...TABLE, rowActions: [{ title: 'x', does: { script: 'x' } }] }), /^blocks\[0\]\.rowActions\[0\]\.does/],
    [
      blocks({ ...FORM, schema: { type: 'object', toString: () => 'x' } }),
      /^blocks\[0\]\.schema\.toString must be JSON/,
    ],
    [blocks({ ...FORM, schema: { type: 'object', description: 'x'.repeat(131_072) } }), /characters of JSON/],
    [blocks({ ...FORM, schema: { type: 'string' } }), /^blocks\[0\]\.schema must be of type object/],
    [blocks({ ...FORM, schema: { type: 'object', required: 5 } }), /^blocks\[0\]\.schema is not a valid JSON Schema/],
  ];
  for (const [changes, expected] of cases) t.regex(rejectionOf(changes) ?? 'loaded', expected);
});

test('admin pages of plugins: links of a page lead to the admin console or to https alone', (t) => {
  const wrong = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'http://example.test/',
    '//example.test',
  ];
  const odd = [
    '/\\example.test',
    '\\\\example.test',
    '/\t/example.test',
    'https:example.test',
    'https://a b',
    ' /a',
    'a',
    '',
  ];
  for (const link of [...wrong, ...odd]) {
    for (const changes of [
      withLink(link),
      ...[TABLE, FORM].map((block) => blocks({ ...block, link: { title: 'x', to: link } })),
    ])
      t.regex(rejectionOf(changes) ?? 'loaded', /^blocks\[0\]\.link\.to must be a path of the admin console/, link);
  }
});

test('admin pages of plugins: calls, forms and tables that a page names are there, and of the right sort', (t) => {
  const rowAction = (does: object) => blocks({ ...TABLE, rowActions: [{ title: 'x', does }] }, FORM);
  const cases: readonly [object, RegExp][] = [
    [blocks(TABLE, TABLE), /^blocks\[1\]\.id all is the ID of another block/],
    [
      blocks({ ...TABLE, rows: { operation: 'lost' } }),
      /^blocks\[0\]\.rows\.operation: the page has no operation lost/,
    ],
    [blocks({ ...TABLE, rows: { operation: 'valueOf' } }), /has no operation valueOf/],
    [blocks({ ...TABLE, rows: { operation: 'add' } }), /^blocks\[0\]\.rows\.operation add must be a GET/],
    [
      blocks({ ...FORM, submit: { operation: 'list' } }),
      /^blocks\[0\]\.submit\.operation list must be an operation other than GET/,
    ],
    [blocks({ ...FORM, submit: { operation: 'drop' } }), /^blocks\[0\]\.submit\.operation drop requires a body/],
    [blocks(TABLE, { ...FORM, initial: { operation: 'list' } }), /operation list answers the rows of a table/],
    [
      blocks({ ...FORM, result: { show: [], reload: ['lost'] } }),
      /^blocks\[0\]\.result\.reload: the page has no table lost/,
    ],
    [rowAction({ form: 'lost' }), /^blocks\[0\]\.rowActions\[0\]\.does: the page has no form lost/],
    [rowAction({ operation: 'list' }), /does\.operation list must be an operation other than GET/],
    [
      rowAction({ operation: 'drop', with: { max: { row: '/id' } } }),
      /with\.max: first, max, search, subject are the host's own/,
    ],
    [rowAction({ operation: 'drop', with: { id: { subject: 'id' } } }), /with\.id: the page is not about a user/],
    [
      blocks(TABLE, { ...FORM, submit: { operation: 'add', with: { id: { row: '/id' } } } }),
      /with\.id: only row actions have a row/,
    ],
    [blocks({ ...TABLE, rows: { operation: 'list', with: { id: { row: '/id' } } } }), /only row actions have a row/],
    [rowAction({ operation: 'drop', with: { id: {} } }), /^blocks\[0\]\.rowActions\[0\]\.does\.with\.id/],
  ];
  for (const [changes, expected] of cases) t.regex(rejectionOf(changes) ?? 'loaded', expected);
});

test('admin pages of plugins: a page may ask for every role that manages a realm, and for no other', (t) => {
  for (const role of [...REALM_MANAGEMENT_ROLES, 'realm-admin']) t.is(rejectionOf({ view: [role] }), undefined, role);
  const named = /must be one of (.*)$/.exec(rejectionOf({ view: ['admin'] }) ?? '')?.[1]?.split(', ');
  t.deepEqual(named?.sort(), [...REALM_MANAGEMENT_ROLES, 'realm-admin'].sort());
});
