import type { RealmSettings } from '../../api/realm-settings.ts';
import { useTexts } from '../../messages/language.tsx';
import { fieldsOf, type Options, pickMembers, type Section } from './section.ts';
import { SectionForm } from './section-form.tsx';
import { texts as securityTexts } from './security-texts.ts';
import { SettingsPage } from './settings-page.tsx';
import { texts as settingsTexts } from './texts.ts';

const WAITS = ['waitIncrementSeconds', 'maxFailureWaitSeconds', 'maxDeltaTimeSeconds'] as const;
const NUMBERS = ['failureFactor', 'maxTemporaryLockouts', 'maxSecondaryAuthFailures'] as const;
const QUICK = ['quickLoginCheckMilliSeconds', 'minimumQuickLoginWaitSeconds'] as const;
const readPlainValues = pickMembers([...NUMBERS, 'bruteForceStrategy', ...WAITS, ...QUICK]);

/** Keycloak's modes, each a combination of three members of the realm. */
type Mode = 'disabled' | 'permanent' | 'temporary' | 'both';
type Values = ReturnType<typeof readPlainValues> & { readonly mode: Mode };

const readValues = (realm: RealmSettings): Values => ({ mode: modeOf(realm), ...readPlainValues(realm) });

export default function SecurityPage({ realm }: { realm: string }) {
  const { detection, modes, strategies, ...texts } = useTexts(securityTexts);
  const section: Section<Values> = {
    title: useTexts(settingsTexts).section.security,
    ...texts,
    read: readValues,
    toChange: ({ mode, ...changes }, before) => ({
      ...(mode === undefined ? {} : membersOf(mode, before)),
      ...changes,
    }),
    groups: ({ mode }) => [
      {
        title: detection,
        fields: [
          { kind: 'choice', name: 'mode', options: Object.entries(modes) },
          ...(mode === 'disabled' ? [] : fieldsIn(mode, Object.entries(strategies))),
        ],
      },
    ],
  };
  return (
    <SettingsPage realm={realm} section="security">
      {(props) => (
        <SectionForm
          settings={props}
          section={section}
          onSet={(change, set) => {
            // With 0 lockouts, the realm would have the mode “permanent”.
            if (change.mode !== 'both' || props.realm.maxTemporaryLockouts > 0) return false;
            set({ ...change, maxTemporaryLockouts: 1 });
            return true;
          }}
        />
      )}
    </SettingsPage>
  );
}

/** The fields that Keycloak's console shows in a mode. */
function fieldsIn(mode: Mode, strategies: Options) {
  return [
    ...fieldsOf<Values>('number', 'failureFactor'),
    ...(mode === 'both' ? fieldsOf<Values>('number', 'maxTemporaryLockouts') : []),
    ...(mode === 'permanent'
      ? []
      : [
          { kind: 'choice', name: 'bruteForceStrategy', options: strategies } as const,
          ...fieldsOf<Values>('duration', ...WAITS),
        ]),
    ...fieldsOf<Values>('number', 'quickLoginCheckMilliSeconds'),
    ...fieldsOf<Values>('duration', 'minimumQuickLoginWaitSeconds'),
    ...fieldsOf<Values>('number', 'maxSecondaryAuthFailures'),
  ];
}

function modeOf({ bruteForceProtected, permanentLockout, maxTemporaryLockouts }: RealmSettings): Mode {
  if (!bruteForceProtected) return 'disabled';
  if (!permanentLockout) return 'temporary';
  return maxTemporaryLockouts > 0 ? 'both' : 'permanent';
}

/** Disabling preserves the mode's other members. */
function membersOf(mode: Mode, { maxTemporaryLockouts }: RealmSettings) {
  if (mode === 'disabled') return { bruteForceProtected: false };
  const bruteForceProtected = true;
  if (mode === 'temporary') return { bruteForceProtected, permanentLockout: false };
  const lockouts = mode === 'both' ? Math.max(maxTemporaryLockouts, 1) : 0;
  return { bruteForceProtected, permanentLockout: true, maxTemporaryLockouts: lockouts };
}
