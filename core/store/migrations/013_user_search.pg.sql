-- What user searches go by: the texts of a user in pieces of three characters. Characters 1 and 2 are before and behind each
-- text: before the first of it and behind the last of it, every character begins a piece. It needs no extension. The index
-- over it is made while hosts serve, without keeping anybody from the table: see user-index.ts. The database keeps it, so
-- that users whom an older Keyhost writes are found, too. Of long texts the beginning is there, and a piece of characters 3: who
-- has that one is looked at in every search.
CREATE OR REPLACE FUNCTION user_pieces(username TEXT, email TEXT, first_name TEXT, last_name TEXT) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT array_to_tsvector(array_agg(substr(t.text, n, 3)))
    FROM (SELECT E'\x01' || left($1, 500) || E'\x02\x02\x01' || left(coalesce($2, ''), 500) || E'\x02\x02\x01' ||
      left(coalesce($3, ''), 500) || E'\x02\x02\x01' || left(coalesce($4, ''), 500) || E'\x02\x02' ||
      CASE WHEN greatest(length($1), length($2), length($3), length($4)) > 500 THEN E'\x03\x03\x03' ELSE '' END AS text
      OFFSET 0) t,
    generate_series(1, length(t.text) - 2) n
  $$;
