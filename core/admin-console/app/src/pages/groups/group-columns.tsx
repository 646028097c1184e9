import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import type { ListedGroup } from '../../api/groups.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { texts as groupsTexts } from './texts.ts';

/** The columns of every list of groups. */
export function useGroupColumns(realm: string): readonly Column<ListedGroup>[] {
  const texts = useTexts(groupsTexts);
  const { language } = useLanguage();
  return [
    {
      title: texts.name,
      show: ({ id, name }) => <Link href={`/realms/${encodeSegment(realm)}/groups/${encodeSegment(id)}`}>{name}</Link>,
    },
    { title: texts.path, isMinor: true, show: ({ path }) => <code>{path}</code> },
    { title: texts.below, show: ({ subGroupCount }) => subGroupCount.toLocaleString(language) },
  ];
}
