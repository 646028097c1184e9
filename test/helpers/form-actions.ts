import type { RealmRepresentation } from '../../core/model/representation.js';

/**
 * A form action with this ID. It asks for the answer in its settings, shows the values that it received, and misbehaves
 * as `does` in its settings requests. Values are `METHOD throw`, `METHOD refuse`, `METHOD nonsense`, `METHOD wait`,
 * `METHOD exit`, `METHOD collide` and more.
 */
export const quizAction = (id: string) => `import { FormAction, HostError, provide } from '@keyhost/spi';
const mischief = {
  throw: () => { throw new Error('a fault'); },
  refuse: () => { throw new HostError('no_quiz', 'The quiz is closed today.', { status: 403, expose: true }); },
  nonsense: () => ({ errors: 'none', fields: 'none', attributes: 'none' }),
  wait: () => new Promise(() => {}),
  exit: () => process.exit(1),
  elsewhere: () => ({ errors: [{ field: '__proto__', message: { key: 'Not here.' } }] }),
  collide: () => ({ fields: [{ name: 'email', type: 'text', label: { key: 'Mine' } }] }),
  password: () => ({ fields: [{ name: 'password', type: 'text', label: { key: 'Mine' } }] }),
  script: () => ({ resources: { scripts: ['missing.js'] } }),
  rename: () => ({ attributes: { username: ['root'] } }),
};
const named = ({ does = '' }, method) => does.startsWith(method + ' ') ? mischief[does.split(' ')[1]] : undefined;
export default { name: '${id}', api: 1, providers: [provide(FormAction, {
  id: '${id}',
  describe: { displayName: 'Quiz', helpText: 'Asks a question.' },
  settings: { type: 'object', required: ['answer'], additionalProperties: false, properties: {
    answer: { type: 'string', title: 'Answer' }, does: { type: 'string' }, error: { type: 'string' }, alone: { type: 'boolean' } } },
  open: () => ({ create: (session) => ({
    buildPage: async (context) => named(context.config, 'buildPage')?.() ?? {
      state: 'asked of ' + context.client.clientId,
      fields: [{ name: '${id}-answer', type: 'text', label: { key: 'Quiz', texts: { en: 'Two and two ({0})', de: 'Zwei und zwei ({0})' }, params: [context.locale] } }],
    },
    validate: async (context) => {
      const { config, form, state } = context;
      const done = named(config, 'validate');
      if (done) return done();
      await session.store.put('seen', { names: Object.keys(form), values: Object.values(form), state: state ?? null, user: context.user === undefined });
      const isRight = form['${id}-answer'] === config.answer;
      return { errors: isRight ? [] : [{ field: '${id}-answer', message: { key: 'Wrong answer.' } }], excludeOtherErrors: config.alone === 'true',
        ...(config.error && { error: config.error }) };
    },
    success: async (context) => {
      const done = named(context.config, 'success');
      if (done) return done();
      await session.store.put('succeeded', { user: context.user ?? null, names: Object.keys(context.form) });
      return { attributes: { quiz: ['passed by ' + (context.user?.username ?? 'nobody')] }, requiredActions: ['UPDATE_PROFILE'] };
    },
  }) }),
})] };`;

/** An execution of a form; a text is the name of its action. */
export type FormEntry =
  | string
  | {
      readonly authenticator: string;
      readonly requirement?: string;
      readonly config?: Readonly<Record<string, string>>;
    };

/** A realm's members for a registration form with these executions, in this order. */
export function formOf(...executions: FormEntry[]): Partial<RealmRepresentation> {
  const entries = executions.map((one) => (typeof one === 'string' ? { authenticator: one } : one));
  return {
    registrationFlow: 'own registration',
    authenticationFlows: [
      {
        alias: 'own registration',
        providerId: 'basic-flow',
        topLevel: true,
        authenticationExecutions: [
          { authenticator: 'registration-page-form', flowAlias: 'own form', requirement: 'REQUIRED' },
        ],
      },
      {
        alias: 'own form',
        providerId: 'form-flow',
        authenticationExecutions: entries.map(({ config, requirement = 'REQUIRED', authenticator }, priority) => ({
          authenticator,
          requirement,
          priority,
          ...(config && { authenticatorConfig: `config ${priority}` }),
        })),
      },
    ],
    authenticatorConfig: entries.flatMap(({ config }, priority) =>
      config === undefined ? [] : [{ alias: `config ${priority}`, config }],
    ),
  };
}
