/** A plugin with an account page of subscriptions, stored in the plugin. The names of users select its faults. */
export const SUBSCRIPTIONS = `import { AccountPage, provide } from '@keyhost/spi';
const kept = new Map();
const of = (user) => { if (!kept.has(user.id)) kept.set(user.id, new Map([['news', 'News <b>of</b> ' + user.username]])); return kept.get(user.id); };
export default { name: 'subs', api: 1,
  messages: { en: { subs: 'Subscriptions', none: 'No subscriptions.', end: 'End', topic: 'Topic', done: 'Subscribed to {0}.' },
    de: { subs: 'Abonnements', none: 'Keine Abonnements.', end: 'Beenden', topic: 'Thema', done: '{0} abonniert.' } },
  providers: [ provide(AccountPage, { id: 'subscriptions', title: 'subs', description: 'What you read.', icon: 'mail',
    actions: { end: { label: 'end', confirm: 'Really?', danger: true }, add: { label: 'Add' }, wipe: { label: 'Wipe', recent: true }, hidden: { label: 'Hidden' } },
    open: () => ({ create: () => ({
      async show({ user, locale }) {
        if (user.username === 'thrown') throw new Error('the list is away');
        if (user.username === 'odd') return { blocks: [{ kind: 'script', text: 'x' }] };
        return { blocks: [
          { kind: 'facts', facts: [{ label: { key: 'Language' }, value: locale }, { label: { key: 'Since' }, value: { time: 0 } }] },
          { kind: 'table', title: { key: 'subs' }, empty: { key: 'none' }, columns: [{ name: 'name', label: { key: 'topic' } }, { name: 'how', label: { key: 'How' } }],
            rows: [...of(user)].map(([id, name]) => ({ id, cells: { name, how: { key: 'mail', texts: { en: 'By mail', de: 'Per Post' } } }, actions: ['end'] })) },
          { kind: 'form', title: { key: 'Add one' }, action: 'add', fields: [
            { name: 'topic', type: 'text', label: { key: 'topic' }, required: true }, { name: 'fixed', type: 'text', label: { key: 'Fixed' }, value: 'yes', readOnly: true } ] },
          { kind: 'action', text: { key: 'All of them.' }, action: 'wipe' } ] };
      },
      async act({ user, action, row, form }) {
        if (action === 'end') { of(user).delete(row); return { outcome: 'done' }; }
        if (action === 'wipe') { of(user).clear(); return { outcome: 'done', message: { key: 'Wiped.', severity: 'success' } }; }
        if (form.topic === 'throw') throw new Error('nothing can be written');
        if (form.topic === '') return { outcome: 'refused', errors: [{ field: 'topic', message: { key: 'none' } }] };
        if (form.topic.startsWith('no')) return { outcome: 'refused', message: { key: 'Not that.' } };
        of(user).set(form.topic, Object.keys(form).join() + ' ' + form.topic);
        return { outcome: 'done', message: { key: 'done', params: [form.topic], severity: 'success' } };
      } }) }) }) ] };`;
