#include "sqlite3.h"
#include <stdio.h>

static int print(void *unused, int n, char **values, char **names) {
    (void)unused, (void)names;
    for (int i = 0; i < n; i++) printf("%s%s", i ? "|" : "", values[i] ? values[i] : "NULL");
    puts("");
    return 0;
}

int main(void) {
    sqlite3 *db;
    if (sqlite3_open(":memory:", &db)) return 1;
    static const char *const statements[] = {
        "create table t(a integer primary key, b text, c real, d blob)",
        "with recursive k(n) as (select 1 union all select n + 1 from k where n < 30000) insert into t select n, printf('%05d-%s', n * 7919 % 10007, hex(n * 31)), n * 0.37 - n % 13, "
        "zeroblob(n % 40) from k",
        "create index tb on t(b)",
        "create index tc on t(c, a)",
        "select count(*), sum(a), total(c), max(b), sum(length(d)) from t",
        "select b, c from t where b like '0%7' order by c desc limit 9",
        "select a % 17 as g, count(*), avg(c), group_concat(substr(b, 1, 2), '') from t where a < 900 group by g having count(*) > 3 order by g",
        "select x.a, y.a, round(x.c + y.c, 6) from t x join t y on y.a = x.a * 3 and y.b > x.b order by x.b limit 7",
        "select a, sum(c) over (partition by a % 5 order by a rows between 3 preceding and current row) from t where a % 1009 = 3 order by a",
        "update t set c = c * 1.5, b = upper(b) || '!' where a % 3 = 0",
        "delete from t where a % 11 = 5",
        "select count(*), total(c), min(b), max(length(b)) from t",
        "select json_extract('{\"a\": [1, 2.5, {\"b\": \"x\"}]}', '$.a[2].b'), json_array_length('[1,2,3,4]')",
        "select quote(substr(hex(zeroblob(1)) || b, 2, 9)), a << 3, a & 255, ~a, a * 1.0 / 7 from t order by a desc limit 5",
        "create table u as select a, b from t where a % 2 = 0",
        "select count(*) from t left join u using (a) where u.b is null",
        "select a from t where a in (select a + 2 from u where b glob '*A*') intersect select a from u order by 1 limit 12",
        "with recursive f(i, x, y) as (select 0, 0, 1 union all select i + 1, y, x + y from f where i < 60) select i, x from f where i % 10 = 0",
        "pragma integrity_check",
    };
    for (unsigned i = 0; i < sizeof statements / sizeof *statements; i++) {
        char *complaint = 0;
        if (sqlite3_exec(db, statements[i], print, 0, &complaint)) printf("%s: %s\n", statements[i], complaint);
    }
    return sqlite3_close(db);
}
