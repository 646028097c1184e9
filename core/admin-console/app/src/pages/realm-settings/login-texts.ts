const en = {
  screen: 'Login screen',
  email: 'Email',
  user: 'User information',
  labels: {
    registrationAllowed: 'User registration',
    resetPasswordAllowed: 'Forgot password',
    rememberMe: 'Remember me',
    registrationEmailAsUsername: 'Email as username',
    loginWithEmailAllowed: 'Login with email',
    duplicateEmailsAllowed: 'Duplicate emails',
    verifyEmail: 'Verify email',
    editUsernameAllowed: 'Edit username',
  },
  help: {
    registrationAllowed: 'The login page lets people create an account.',
    resetPasswordAllowed: 'Users can reset their password by email. Requires a mail server.',
    rememberMe: 'Users can stay signed in after they close the browser.',
    registrationEmailAsUsername: 'The email address is the username of new users.',
    loginWithEmailAllowed: 'Users can sign in with their email address.',
    duplicateEmailsAllowed: 'Several users can have the same email address.',
    verifyEmail: 'Users must verify their email address before they can sign in. Requires a mail server.',
    editUsernameAllowed: 'Users can change their username.',
  },
};

const de: typeof en = {
  screen: 'Anmeldeseite',
  email: 'E-Mail',
  user: 'Benutzerdaten',
  labels: {
    registrationAllowed: 'Benutzerregistrierung',
    resetPasswordAllowed: 'Passwort vergessen',
    rememberMe: 'Angemeldet bleiben',
    registrationEmailAsUsername: 'E-Mail als Benutzername',
    loginWithEmailAllowed: 'Anmeldung mit E-Mail',
    duplicateEmailsAllowed: 'Mehrfach verwendete E-Mails',
    verifyEmail: 'E-Mail verifizieren',
    editUsernameAllowed: 'Benutzername änderbar',
  },
  help: {
    registrationAllowed: 'Auf der Anmeldeseite kann man ein Konto erstellen.',
    resetPasswordAllowed: 'Benutzer können ihr Passwort per E-Mail zurücksetzen. Erfordert einen Mailserver.',
    rememberMe: 'Benutzer können angemeldet bleiben, nachdem sie den Browser geschlossen haben.',
    registrationEmailAsUsername: 'Die E-Mail-Adresse ist der Benutzername neuer Benutzer.',
    loginWithEmailAllowed: 'Benutzer können sich mit ihrer E-Mail-Adresse anmelden.',
    duplicateEmailsAllowed: 'Mehrere Benutzer können dieselbe E-Mail-Adresse haben.',
    verifyEmail: 'Benutzer müssen ihre E-Mail-Adresse bestätigen, bevor sie sich anmelden. Erfordert einen Mailserver.',
    editUsernameAllowed: 'Benutzer können ihren Benutzernamen ändern.',
  },
};

export const texts = { en, de };
