/**
 * One model reads documents. What a second one made of them is taken out a few rows at a time (`SPENT_TABLES`), and with its
 * document: to drop the table would overwrite all of it at the opening. The column that says so stays unread: to drop it would
 * write every document anew.
 */
export const documentsReadOnce = `
  create trigger paraphrases_go after delete on documents begin
    delete from document_paraphrases where seq = old.seq;
  end;
`;
