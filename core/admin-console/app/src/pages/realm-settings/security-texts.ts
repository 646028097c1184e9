const en = {
  detection: 'Brute force detection',
  modes: {
    disabled: 'Disabled',
    permanent: 'Lockout permanently',
    temporary: 'Lockout temporarily',
    both: 'Lockout permanently after temporary lockout',
  },
  strategies: { MULTIPLE: 'Multiple', LINEAR: 'Linear' },
  labels: {
    mode: 'Brute force mode',
    failureFactor: 'Max login failures',
    maxTemporaryLockouts: 'Maximum temporary lockouts',
    bruteForceStrategy: 'Strategy to increase wait time',
    waitIncrementSeconds: 'Wait increment',
    maxFailureWaitSeconds: 'Max wait',
    maxDeltaTimeSeconds: 'Failure reset time',
    quickLoginCheckMilliSeconds: 'Quick login check milliseconds',
    minimumQuickLoginWaitSeconds: 'Minimum quick login wait',
    maxSecondaryAuthFailures: 'Max secondary authentication failures',
  },
  help: {
    mode: 'Protects accounts against guessed passwords.',
    failureFactor: 'Number of wrong passwords that lock an account.',
    maxTemporaryLockouts: 'Number of temporary lockouts before the permanent one.',
    bruteForceStrategy:
      'Multiple: the wait grows with each multiple of the max login failures. Linear: with each failure.',
    waitIncrementSeconds: 'Time that is added to the wait.',
    maxFailureWaitSeconds: 'Longest time that an account is locked.',
    maxDeltaTimeSeconds: 'Failures are reset after this time without another failure.',
    quickLoginCheckMilliSeconds: 'Two failures within this time lock the account for the minimum quick login wait.',
    maxSecondaryAuthFailures: 'Number of wrong second factors after which one more disables the user. 0: no limit.',
  },
};

const de: typeof en = {
  detection: 'Erkennung von Brute-Force-Angriffen',
  modes: {
    disabled: 'Deaktiviert',
    permanent: 'Dauerhaft sperren',
    temporary: 'Vorübergehend sperren',
    both: 'Nach vorübergehenden Sperren dauerhaft sperren',
  },
  strategies: { MULTIPLE: 'Vielfaches', LINEAR: 'Linear' },
  labels: {
    mode: 'Brute-Force-Modus',
    failureFactor: 'Maximale Fehlversuche',
    maxTemporaryLockouts: 'Maximale vorübergehende Sperren',
    bruteForceStrategy: 'Strategie für die Wartezeit',
    waitIncrementSeconds: 'Erhöhung der Wartezeit',
    maxFailureWaitSeconds: 'Maximale Wartezeit',
    maxDeltaTimeSeconds: 'Fehlversuche zurücksetzen nach',
    quickLoginCheckMilliSeconds: 'Prüfung schneller Anmeldungen in Millisekunden',
    minimumQuickLoginWaitSeconds: 'Mindestwartezeit bei schnellen Anmeldungen',
    maxSecondaryAuthFailures: 'Maximale Fehlversuche beim zweiten Faktor',
  },
  help: {
    mode: 'Schützt Konten davor, dass jemand Passwörter errät.',
    failureFactor: 'Anzahl falscher Passwörter, die ein Konto sperren.',
    maxTemporaryLockouts: 'Anzahl vorübergehender Sperren vor der dauerhaften.',
    bruteForceStrategy:
      'Vielfaches: Die Wartezeit wächst mit jedem Vielfachen der maximalen Fehlversuche. Linear: mit jedem Fehlversuch.',
    waitIncrementSeconds: 'Zeit, um die sich die Wartezeit erhöht.',
    maxFailureWaitSeconds: 'Längste Zeit, für die ein Konto gesperrt ist.',
    maxDeltaTimeSeconds: 'Nach dieser Zeit ohne weiteren Fehlversuch beginnt die Zählung neu.',
    quickLoginCheckMilliSeconds:
      'Zwei Fehlversuche in dieser Zeit sperren das Konto für die Mindestwartezeit bei schnellen Anmeldungen.',
    maxSecondaryAuthFailures:
      'Anzahl falscher zweiter Faktoren, nach der ein weiterer den Benutzer deaktiviert. 0: keine Grenze.',
  },
};

export const texts = { en, de };
