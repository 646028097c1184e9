import { useTexts } from '../../messages/language.tsx';
import { texts as eventsTexts } from './events-texts.ts';
import { fieldsOf, pickMembers, type Section } from './section.ts';
import { SectionForm } from './section-form.tsx';
import { SettingsPage } from './settings-page.tsx';
import { texts as settingsTexts } from './texts.ts';

const readValues = pickMembers([
  'eventsEnabled',
  'eventsExpiration',
  'adminEventsEnabled',
  'adminEventsDetailsEnabled',
]);
type Values = ReturnType<typeof readValues>;

export default function EventsSettingsPage({ realm }: { realm: string }) {
  const { user, admin, ...texts } = useTexts(eventsTexts);
  const section: Section<Values> = {
    title: useTexts(settingsTexts).section.events,
    ...texts,
    read: readValues,
    toChange: (changes) => changes,
    groups: ({ eventsEnabled, adminEventsEnabled }) => [
      {
        title: user,
        fields: [
          { kind: 'check', name: 'eventsEnabled' },
          ...(eventsEnabled ? fieldsOf<Values>('duration', 'eventsExpiration') : []),
        ],
      },
      {
        title: admin,
        fields: fieldsOf<Values>(
          'check',
          'adminEventsEnabled',
          ...(adminEventsEnabled ? (['adminEventsDetailsEnabled'] as const) : []),
        ),
      },
    ],
  };
  return (
    <SettingsPage realm={realm} section="events">
      {(props) => <SectionForm settings={props} section={section} />}
    </SettingsPage>
  );
}
