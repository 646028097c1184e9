import { Link } from 'wouter';
import { useTexts } from '../../messages/language.tsx';
import { userEventsPath } from './event-link.tsx';
import { texts } from './texts.ts';

/** Leads to all events of a user. */
export function StoryLink({ realm, id }: { realm: string; id: string }) {
  const strings = useTexts(texts);
  return <Link href={userEventsPath(realm, id)}>{strings.storyLink}</Link>;
}
