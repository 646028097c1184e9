import { AdminPage, type PageRefusal, type PageRequest, provide, type Session } from '@keyhost/spi';
import { APPLICATION_ID, EVENT_TYPE, IS_APPLICATION_ID, LISTED_DAYS, mint, TOKEN_TYPE } from './mint.js';
import { recordedLinks, recordLink } from './recorded-links.js';
import { admitUser, REASONS, SubjectRefusedError } from './subject-refused.js';

const LINK = {
  type: 'object',
  properties: {
    user: { type: 'string', title: 'User', description: 'Username or user ID.', minLength: 1, maxLength: 255 },
    applicationId: {
      type: 'string',
      title: 'Application',
      description: 'Letters, digits and . _ -',
      pattern: APPLICATION_ID,
      mustBe: IS_APPLICATION_ID,
    },
  },
  required: ['user', 'applicationId'],
  additionalProperties: false,
} as const;

/** Reasons for a refusal, which are shown to admins, who may see users, but not to back-ends. */
const REFUSAL_TEXTS: Readonly<Record<keyof typeof REASONS, { readonly en: string; readonly de: string }>> = {
  user_not_found: { en: 'User not found', de: 'Benutzer nicht gefunden' },
  user_disabled: { en: 'The user is disabled', de: 'Der Benutzer ist deaktiviert' },
  not_allowed: {
    en: 'Administrators and service accounts get no links',
    de: 'Administratoren und Dienstkonten bekommen keine Links',
  },
};

/** Answers the page for one admin. */
class Links {
  readonly #session: Session;
  readonly #config: { readonly tokenType: string; readonly listedDays: number };

  constructor(session: Session, config: { readonly tokenType: string; readonly listedDays: number }) {
    this.#session = session;
    this.#config = config;
  }

  list(page: PageRequest<undefined>) {
    return recordedLinks(this.#session, page);
  }

  /**
   * Links for administrators are only for back-ends with `privilegedSubjects`: an admin could gain rights with them.
   */
  async mint({
    body: { user, applicationId },
    admin,
  }: PageRequest<{ readonly user: string; readonly applicationId: string }>) {
    const { users, events, realm } = this.#session;
    // An ID has priority over a name, since a username may equal the ID of another user.
    const userId = ((await users.byId(user)) ?? (await users.byUsername(user)))?.id ?? user;
    const isOfRealm = admin.realm === realm.name;
    const by = isOfRealm ? admin.username : `${admin.username} (${admin.realm})`;
    const event = {
      type: EVENT_TYPE,
      userId,
      // A client of master is not a client of this realm.
      ...(isOfRealm ? { clientId: admin.clientId } : {}),
      details: { 'app-id': applicationId, minted_by: by },
    };
    try {
      await admitUser(this.#session, userId, false);
    } catch (error) {
      if (!(error instanceof SubjectRefusedError)) throw error;
      const details = { ...event.details, reason: REASONS[error.reason] };
      await events.emit({ ...event, details, error: error.reason });
      return refusal(error.reason);
    }
    const issued = await mint(this.#session, this.#config.tokenType, userId, applicationId);
    const request = { userId, applicationId, by };
    const { expiresAt } = await recordLink(this.#session, request, issued, this.#config.listedDays);
    await events.emit({ ...event, details: { ...event.details, token_id: issued.id } });
    return { link: issued.link, expiresAt };
  }
}

function refusal(reason: keyof typeof REASONS): PageRefusal {
  const message = REFUSAL_TEXTS[reason];
  return { error: reason, error_description: message.en, errors: [{ pointer: '/user', message }] };
}

/** The admin console's page with a list of the created links and a form to create one. */
export const linksPage = provide(AdminPage, {
  id: 'newsletter-links',
  title: { en: 'Newsletter links', de: 'Newsletter-Links' },
  at: 'realm',
  view: ['view-users'],
  manage: ['manage-users'],
  realmConfig: {
    type: 'object',
    properties: {
      tokenType: { ...TOKEN_TYPE, guarded: true },
      listedDays: { ...LISTED_DAYS, default: 30 },
    },
    additionalProperties: false,
  },
  operations: { list: { method: 'GET' }, mint: { method: 'POST', body: LINK } },
  blocks: [
    {
      kind: 'text',
      text: {
        en: 'Anyone who opens a link reads one item of the newsletter as that user, until the link expires.',
        de: 'Wer einem Link folgt, liest einen Beitrag des Newsletters als dieser Benutzer, bis der Link abläuft.',
      },
    },
    {
      kind: 'table',
      id: 'links',
      title: { en: 'Links', de: 'Links' },
      rows: { operation: 'list' },
      key: '/id',
      columns: [
        { title: { en: 'User', de: 'Benutzer' }, at: '/userId', as: 'user' },
        { title: { en: 'Application', de: 'Anwendung' }, at: '/applicationId', as: 'code' },
        { title: { en: 'Made', de: 'Erstellt' }, at: '/mintedAt', as: 'time' },
        { title: { en: 'By', de: 'Von' }, at: '/by' },
        { title: { en: 'Expires', de: 'Läuft ab' }, at: '/expiresAt', as: 'time' },
        {
          title: { en: 'State', de: 'Zustand' },
          at: '/state',
          as: {
            badge: { valid: 'good', expired: 'neutral' },
            words: { valid: { en: 'valid', de: 'gültig' }, expired: { en: 'expired', de: 'abgelaufen' } },
          },
        },
      ],
      empty: { en: 'No links yet. Create one.', de: 'Noch keine Links. Erstelle einen.' },
      actions: [{ title: { en: 'Create a link', de: 'Link erstellen' }, does: { form: 'mint' } }],
    },
    {
      kind: 'form',
      id: 'mint',
      title: { en: 'Create a link', de: 'Link erstellen' },
      schema: LINK,
      fields: {
        '/user': {
          title: { en: 'User', de: 'Benutzer' },
          help: { en: 'Username or user ID.', de: 'Benutzername oder Benutzer-ID.' },
        },
        '/applicationId': {
          title: { en: 'Application', de: 'Anwendung' },
          help: { en: 'Letters, digits and . _ -', de: 'Buchstaben, Ziffern und . _ -' },
        },
      },
      submit: { operation: 'mint' },
      submitTitle: { en: 'Create link', de: 'Link erstellen' },
      opens: 'by-action',
      result: {
        show: [
          { title: 'Link', at: '/link', as: 'code', once: true },
          { title: { en: 'Expires', de: 'Läuft ab' }, at: '/expiresAt', as: 'time' },
        ],
        reload: ['links'],
      },
    },
  ],
  open: () => ({
    create(session, config) {
      const links = new Links(session, config);
      return { list: (page) => links.list(page), mint: (call) => links.mint(call) };
    },
  }),
});
