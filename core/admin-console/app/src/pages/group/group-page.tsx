import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { changeGroup, type Group, groupKey, groupsKey, oneGroup, removeGroup } from '../../api/groups.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { NameAndAttributes } from '../../parts/name-and-attributes.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { RemoveButton } from '../../parts/remove-button.tsx';
import { GroupMembers } from './group-members.tsx';
import { GroupRoles } from './group-roles.tsx';
import { Subgroups } from './subgroups.tsx';
import { texts as groupTexts } from './texts.ts';

/** The properties of each part of the page. */
export interface GroupSectionProps {
  readonly realm: string;
  readonly group: Group;
  readonly tag: string | undefined;
}

export default function GroupPage({ realm, id }: { realm: string; id: string }) {
  const texts = useTexts(groupTexts);
  const query = useQuery(oneGroup(realm, id));
  const parent = query.data?.body.parentId;
  const basePath = `/realms/${encodeSegment(realm)}/groups`;
  const back = (
    <>
      <Link href={basePath}>{texts.back}</Link>
      {parent !== undefined && (
        <>
          {' · '}
          <Link href={`${basePath}/${encodeSegment(parent)}`}>{texts.above}</Link>
        </>
      )}
    </>
  );
  return (
    <Page title={query.data?.body.name ?? id} lead={back}>
      <QueryResult query={query}>{({ body, tag }) => <Sections realm={realm} group={body} tag={tag} />}</QueryResult>
    </Page>
  );
}

function Sections(props: GroupSectionProps) {
  const { realm, group, tag } = props;
  const texts = useTexts(groupTexts);
  const { manage } = group.access;
  return (
    <>
      <div className="page-line">
        {manage && (
          <RemoveButton
            name={group.name}
            texts={texts}
            list={`/realms/${encodeSegment(realm)}/groups`}
            keys={{ one: groupKey(realm, group.id), lists: groupsKey(realm) }}
            onRemove={() => removeGroup(realm, group.id, tag)}
          />
        )}
      </div>
      {!manage && <p className="notice">{texts.readOnly}</p>}
      <Facts
        facts={[
          [texts.path, <code key="path">{group.path}</code>],
          [texts.id, <code key="id">{group.id}</code>],
        ]}
      />
      <NameAndAttributes
        thing={group}
        tag={tag}
        canManage={manage}
        refreshes={groupsKey(realm)}
        saved={texts.saved}
        onSave={(change, ifMatch) => changeGroup(realm, group.id, { change, ifMatch })}
      />
      <GroupMembers {...props} />
      <GroupRoles {...props} />
      <Subgroups {...props} />
    </>
  );
}
