import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { subgroupsOf } from '../../api/groups.ts';
import { useTexts } from '../../messages/language.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { CreateGroup } from '../groups/create-group.tsx';
import { useGroupColumns } from '../groups/group-columns.tsx';
import type { GroupSectionProps } from './group-page.tsx';
import { texts as groupTexts } from './texts.ts';

const MAX = 10;

export function Subgroups({ realm, group }: GroupSectionProps) {
  const texts = useTexts(groupTexts);
  const [first, setFirst] = useState(0);
  const [isCreating, setCreating] = useState(false);
  const query = useQuery(subgroupsOf(realm, group.id, { first, max: MAX + 1 }));
  return (
    <section>
      <div className="section-head">
        <h2>{texts.below}</h2>
        {group.access.manage && (
          <button type="button" onClick={() => setCreating(true)}>
            {texts.createBelow}
          </button>
        )}
      </div>
      <PagedTable
        query={query}
        caption={texts.below}
        columns={useGroupColumns(realm)}
        keyOf={({ id }) => id}
        first={first}
        max={MAX}
        onFirst={setFirst}
        empty={<p className="nothing">{texts.noBelow}</p>}
      />
      {isCreating && <CreateGroup realm={realm} parent={group.id} onClose={() => setCreating(false)} />}
    </section>
  );
}
