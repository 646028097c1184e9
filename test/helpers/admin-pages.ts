/** The source of a plugin with one page. `changes` override its declaration; `methods` are those of its provider. */
export function pagePlugin(id: string, { changes = '', methods = '', prelude = '' } = {}): string {
  return `import { AdminPage, HostError, provide } from '@keyhost/spi';
${prelude}
const declaration = {
  title: { en: 'Notes', de: 'Notizen' },
  at: 'realm',
  view: ['view-events'],
  manage: ['manage-events'],
  operations: {
    list: { method: 'GET' },
    add: {
      method: 'POST',
      body: {
        type: 'object',
        properties: {
          text: { type: 'string', minLength: 1, maxLength: 100 },
          colour: { enum: ['red', 'blue'], default: 'blue' },
          pin: { type: 'string', writeOnly: true },
        },
        required: ['text'],
        additionalProperties: false,
      },
    },
    change: { method: 'PUT', body: { type: 'object' } },
    remove: { method: 'DELETE' },
  },
  blocks: [
    { kind: 'text', text: 'What was <b>noted</b>' },
    {
      kind: 'table', id: 'notes', title: 'All', rows: { operation: 'list' }, key: '/key', empty: 'None', search: true,
      columns: [{ title: 'Text', at: '/text' }, { title: 'More', at: '/link', as: 'link' }],
      actions: [{ title: 'Add', does: { form: 'add' } }],
      rowActions: [{ title: 'Remove', does: { operation: 'remove', with: { key: { row: '/key' } } }, danger: true }],
    },
    {
      kind: 'form', id: 'add', title: 'Add', submitTitle: 'Add', opens: 'by-action',
      schema: { type: 'object', properties: { text: { type: 'string' } } },
      submit: { operation: 'add' },
      result: { show: [{ title: 'Code', at: '/code', as: 'code', once: true }], reload: ['notes'] },
    },
  ],
};
export default { name: '${id}', api: 1, providers: [provide(AdminPage, {
  id: '${id}',
  ...declaration,
  ${changes}
  open: () => ({
    create: (session) => ({
      async list({ first, max, search }) {
        const all = await session.store.list('note/', { first, max: 1000 });
        const rows = all.map(({ key, value }) => ({ key, ...value }));
        const found = rows.filter(({ text }) => search === undefined || text.includes(search));
        return { rows: found.slice(0, max), more: found.length > max };
      },
      async add({ body, admin }) {
        if (body.text === 'taken') {
          const message = { en: 'is there already', de: 'gibt es schon' };
          return { error: 'taken', error_description: 'It is there', errors: [{ pointer: '/text', message }] };
        }
        await session.store.put('note/' + body.text, { text: body.text, colour: body.colour, by: admin.username });
        return { code: 'shown-once', admin, realm: session.realm.name };
      },
      async change({ body, subject, query }) { return { body, subject: subject ?? null, query }; },
      async remove({ query }) { await session.store.delete(query.key); },
      ${methods}
    }),
  }),
})] };`;
}

/** The realm's `providers` that enable these pages. */
export function enabledPages(...ids: readonly string[]) {
  return { 'admin-page': Object.fromEntries(ids.map((id) => [id, { enabled: true }])) };
}
