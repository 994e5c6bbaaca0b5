import { describe, expect, it } from 'vitest'
import { found, value } from './made.ts'

const V = value('{base62:5}7k{base62:4}')

describe('a password on a command line is found', () => {
  it.each([
    `sshpass -p${V} ssh bob@db7`,
    `net use Z: \\\\db7\\share /user:bob ${V}`,
    `net use \\\\db7\\share ${V} /user:ACME\\bob`,
    `vncpasswd -f <<< "${V}"`,
    `ldapmodify -H ldap://db7 -D cn=admin -w '${V}' -f a.ldif`,
    `ldapwhoami -x -w ${V} -D uid=bob`,
    `mongo admin -u root -p ${V} --eval x`,
    `cqlsh -u cassandra -p ${V} db7`,
    `sqlcmd -S db7 -U sa -P ${V}`,
    `sqlplus scott/${V}@orcl`,
    `ipmitool -I lanplus -H db7 -U admin -P ${V} power on`,
    `lftp -u bob,${V} db7`,
    `snmpget -v3 -u bob -A ${V} db7`,
    `xfreerdp /v:db7 /u:bob /p:${V}`,
    `plink -ssh -pw ${V} bob@db7`,
    `useradd -m -p ${V} bob`,
    `rabbitmqctl add_user app ${V}`,
    `az login -u bob@acme.io -p ${V}`,
    `unzip -P ${V} a.zip`,
    `http -a bob:${V} https://acme.io`,
    `htpasswd -b -c .htpasswd admin ${V}`,
    `echo '${V}' | sudo -S apt update`,
    `mysqladmin -u root password '${V}'`,
    `rabbitmqctl change_password bob ${V}`,
    `cscli machines add -u bob -p ${V} --force`,
    `printf "${V}\\n${V}\\n" | passwd bob`,
    `d-i passwd/root-password password ${V}`,
    `PASSWORD=\${PASSWORD:-${V}}`,
    `curl -H 'Authorization: Basic ${Buffer.from(`bob:${V}`).toString('base64')}' https://acme.io`,
  ])('%s', command => {
    expect(found(command, 'bash')).toHaveLength(1)
  })
})

describe('a command line without a password of its own gives nothing', () => {
  it.each([
    'sshpass -p "$PW" ssh bob@db7',
    'sshpass -e ssh bob@db7',
    'mongo -p 27017',
    "run('mongo -p 27017')",
    'mongo --port 27017 admin',
    'sqlplus / as sysdba',
    'sqlcmd -S db7 -U sa -P $SA_PASSWORD',
    'ipmitool -U admin -P <password> power on',
    'useradd -m -s /bin/bash bob',
    'rabbitmqctl add_user $APP $PASS',
    'unzip -P',
    'zip -r a.zip folder',
    'http -a $APP:$PASS https://acme.io',
    'echo "$PASS" | sudo -S apt update',
    'echo y | sudo -S apt update',
    'ldapadd -x -D cn=admin -W -f a.ldif',
    'mysql -u root -p mysql',
    'mysqldump -u root -p postfixdb > /tmp/backup.sql',
  ])('%s', command => {
    expect(found(command, 'bash')).toEqual([])
  })
})
