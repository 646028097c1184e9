import { AccountPage, type AccountPageBlock, provide, type UserView } from '@keyhost/spi';

const subscriptions = new Map<string, Map<string, string>>();
const subscriptionsOf = ({ id, username }: UserView) => {
  const known = subscriptions.get(id) ?? new Map([['news', `News <b>of</b> ${username}`]]);
  subscriptions.set(id, known);
  return known;
};
export default {
  name: 'subs',
  api: 1,
  messages: {
    en: { subs: 'Subscriptions', none: 'No subscriptions.', end: 'End', topic: 'Topic', done: 'Subscribed to {0}.' },
    de: { subs: 'Abonnements', none: 'Keine Abonnements.', end: 'Beenden', topic: 'Thema', done: '{0} abonniert.' },
  },
  providers: [
    provide(AccountPage, {
      id: 'subscriptions',
      title: 'subs',
      description: 'What you read.',
      icon: 'mail',
      actions: {
        end: { label: 'end', confirm: 'Really?', danger: true },
        add: { label: 'Add' },
        wipe: { label: 'Wipe', recent: true },
        hidden: { label: 'Hidden' },
      },
      open: () => ({
        create: () => ({
          async show({ user, locale }) {
            if (user.username === 'thrown') throw new Error('the list is away');
            if (user.username === 'odd')
              return { blocks: [{ kind: 'script', text: 'x' } as unknown as AccountPageBlock] };
            return {
              blocks: [
                {
                  kind: 'facts',
                  facts: [
                    { label: { key: 'Language' }, value: locale },
                    { label: { key: 'Since' }, value: { time: 0 } },
                  ],
                },
                {
                  kind: 'table',
                  title: { key: 'subs' },
                  empty: { key: 'none' },
                  columns: [
                    { name: 'name', label: { key: 'topic' } },
                    { name: 'how', label: { key: 'How' } },
                  ],
                  rows: [...subscriptionsOf(user)].map(([id, name]) => ({
                    id,
                    cells: { name, how: { key: 'mail', texts: { en: 'By mail', de: 'Per Post' } } },
                    actions: ['end'],
                  })),
                },
                {
                  kind: 'form',
                  title: { key: 'Add one' },
                  action: 'add',
                  fields: [
                    { name: 'topic', type: 'text', label: { key: 'topic' }, required: true },
                    { name: 'fixed', type: 'text', label: { key: 'Fixed' }, value: 'yes', readOnly: true },
                  ],
                },
                { kind: 'action', text: { key: 'All of them.' }, action: 'wipe' },
              ],
            };
          },
          async act({ user, action, row, form }) {
            if (action === 'end') {
              subscriptionsOf(user).delete(row ?? '');
              return { outcome: 'done' };
            }
            if (action === 'wipe') {
              subscriptionsOf(user).clear();
              return { outcome: 'done', message: { key: 'Wiped.', severity: 'success' } };
            }
            const { topic = '' } = form;
            if (topic === 'throw') throw new Error('nothing can be written');
            if (topic === '') return { outcome: 'refused', errors: [{ field: 'topic', message: { key: 'none' } }] };
            if (topic.startsWith('no')) return { outcome: 'refused', message: { key: 'Not that.' } };
            subscriptionsOf(user).set(topic, `${Object.keys(form).join()} ${topic}`);
            return { outcome: 'done', message: { key: 'done', params: [topic], severity: 'success' } };
          },
        }),
      }),
    }),
  ],
};
