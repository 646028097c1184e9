import { AccountPage, type Plugin, provide } from '@keyhost/spi';

/** A page on which users follow topics: a table, a form that adds a topic, and a button that removes one. */
export default {
  name: '__name__',
  api: 1,
  messages: {
    en: { topics: 'Topics', none: 'You follow no topics yet.', topic: 'Topic', missing: 'Name a topic.' },
    de: { topics: 'Themen', none: 'Sie folgen noch keinem Thema.', topic: 'Thema', missing: 'Nennen Sie ein Thema.' },
  },
  providers: [
    provide(AccountPage, {
      id: '__id__',
      title: 'topics',
      icon: 'bell',
      actions: { follow: { label: 'Follow' }, leave: { label: 'Leave', danger: true } },
      open: () => ({
        create: ({ clock, store }) => ({
          async show({ user }) {
            const topics = await store.list(`${user.id}/`);
            return {
              blocks: [
                {
                  kind: 'table',
                  columns: [
                    { name: 'name', label: { key: 'topic' } },
                    { name: 'since', label: { key: 'Since' } },
                  ],
                  rows: topics.map(({ key, value }) => ({
                    id: key,
                    cells: { name: key.slice(user.id.length + 1), since: { time: Number(value) } },
                    actions: ['leave'],
                  })),
                  empty: { key: 'none' },
                },
                {
                  kind: 'form',
                  action: 'follow',
                  fields: [{ name: 'topic', type: 'text', label: { key: 'topic' }, required: true }],
                },
              ],
            };
          },

          async act({ user, action, row, form: { topic = '' } }) {
            // The host accepts only rows that the page shows to this user.
            if (action === 'leave' && row !== undefined) await store.delete(row);
            else if (!/^[\w -]{1,60}$/.test(topic)) {
              return { outcome: 'refused', errors: [{ field: 'topic', message: { key: 'missing' } }] };
            } else await store.put(`${user.id}/${topic}`, clock.now());
            return { outcome: 'done' };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
