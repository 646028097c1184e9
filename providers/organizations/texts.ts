import type { Message, PluginMail } from '@keyhost/spi';

const text = (key: string, en: string, de: string) => ({ key, texts: { en, de } });

/** Texts of the page that a link opens. */
export const LINK = {
  title: text('organizationInvitationTitle', 'Invitation', 'Einladung'),
  text: text(
    'organizationInvitationText',
    'You are invited to {0}. If you continue, the account with the email address {1} becomes a member.',
    'Sie sind zu {0} eingeladen. Wenn Sie fortfahren, wird das Konto mit der E-Mail-Adresse {1} Mitglied.',
  ),
  over: text(
    'organizationInvitationOver',
    'The invitation is no longer valid.',
    'Die Einladung ist nicht mehr gültig.',
  ),
  other: text(
    'organizationInvitationOtherUser',
    'Another user is signed in to this browser. Sign out first.',
    'In diesem Browser ist ein anderer Benutzer angemeldet. Melden Sie ihn zuerst ab.',
  ),
  done: text('organizationInvitationDone', 'You are now a member of {0}.', 'Sie sind jetzt Mitglied von {0}.'),
};

/** Texts of the page in a login. */
export const PAGE = {
  title: text('organizationInvitationsTitle', 'Invitations', 'Einladungen'),
  text: text(
    'organizationInvitationsText',
    'Select the organizations that you want to join. The other invitations are declined.',
    'Wählen Sie die Organisationen, denen Sie beitreten möchten. Die anderen Einladungen werden abgelehnt.',
  ),
  field: text('organizationInvitationsField', 'Organizations', 'Organisationen'),
};

/** The content of an invitation mail. */
export interface InvitationMail {
  readonly to: PluginMail['to'];
  readonly email: string;
  readonly realm: string;
  readonly organization: string;
  readonly inviter: string;
  readonly url: string;
  /** The address that a new member is sent to; empty if there is none. */
  readonly application: string;
  /** True if the link accepts the invitation, false if it leads to the sign-in or registration page. */
  readonly accepts: boolean;
  /** In seconds. */
  readonly expiresIn: number;
}

export function invitationMail({ to, url, application, accepts, expiresIn, ...words }: InvitationMail): PluginMail {
  // In days, for texts of a realm, and in seconds.
  const lifetimes = [String(Math.max(1, Math.floor(expiresIn / 86_400))), String(Math.floor(expiresIn))] as const;
  const params = [words.organization, words.realm, words.inviter, words.email, lifetimes[0], application, lifetimes[1]];
  const withParams = (message: Message): Message => ({ ...message, params });
  const instruction = accepts
    ? text('organizationInvitationAccept', 'Open the link to accept.', 'Öffnen Sie den Link, um anzunehmen.')
    : text(
        'organizationInvitationSignIn',
        'Open the link, and sign in with the address {3} or register it. Then you can accept.',
        'Öffnen Sie den Link und melden Sie sich mit der Adresse {3} an, oder registrieren Sie sie. Dann können Sie annehmen.',
      );
  const label = accepts
    ? text('organizationInvitationLabel', 'Join {0}', '{0} beitreten')
    : text('organizationInvitationSignInLabel', 'Sign in', 'Anmelden');
  return {
    to,
    subject: withParams(text('organizationInvitationSubject', 'Invitation to {0}', 'Einladung zu {0}')),
    before: [
      withParams(
        text(
          'organizationInvitationMail',
          '{2} invites you to join {0} at {1}.',
          '{2} lädt Sie ein, {0} bei {1} beizutreten.',
        ),
      ),
      withParams(instruction),
    ],
    link: { label: withParams(label), url },
    after: [
      ...(accepts && application !== ''
        ? [withParams(text('organizationInvitationThen', 'Then continue at {5}', 'Danach geht es weiter bei {5}'))]
        : []),
      withParams(
        text(
          'organizationInvitationEnd',
          'The invitation is valid for {6,duration}. If you do not want to join, ignore this email.',
          'Die Einladung gilt {6,duration} lang. Wenn Sie nicht beitreten möchten, ignorieren Sie diese E-Mail.',
        ),
      ),
    ],
    expiresIn: Math.min(expiresIn, 604_800),
  };
}
