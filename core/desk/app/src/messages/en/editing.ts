/** Of forms and of what is asked before something is done. */
export const editing = {
  save: 'Save',
  discard: 'Discard changes',
  saved: 'Saved.',
  remove: 'Remove',
  add: 'Add',
  show: 'Show',
  hide: 'Hide',
  copy: 'Copy',
  copied: 'Copied.',
  none: '(nothing)',
  type: 'Type to search',
  moreChoices: 'Type more to find others.',
  readOnly: 'You may see this and not change it: that takes the role manage-users.',
  changed: {
    title: (who: string | undefined) =>
      who === undefined ? 'Somebody else changed this in the meantime' : `${who} changed this in the meantime`,
    at: 'On',
    lead: 'Nothing of yours was saved, and nothing that you typed is lost.',
    overwrite: 'Save mine all the same',
    loadAnew: 'Load anew, without mine',
  },
};
