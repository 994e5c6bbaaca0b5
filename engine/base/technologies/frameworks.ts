import type { FrameworkKind, Technology } from './technology.ts'

/** Registries of packages, by the manifests that name them. */
export type Ecosystem = 'npm' | 'python' | 'go' | 'jvm' | 'ruby' | 'php' | 'rust' | 'dotnet' | 'dart'

/** A framework, by the packages of manifests that show it; lower-case. */
export interface Framework extends Technology {
  kind: FrameworkKind
  ecosystem: Ecosystem
  packages: readonly string[]
  /** A line of a manifest that shows it. */
  example: string
}

/** The line of a manifest that names a package, by ecosystem. */
const LINES: Record<Ecosystem, (name: string) => string> = {
  npm: name => `    "${name}": "^1.0.0",`,
  python: name => `${name}>=1.0`,
  jvm: name => `    <artifactId>${name}</artifactId>`,
  go: name => `\t${name} v1.0.0`,
  ruby: name => `gem '${name}', '~> 1.0'`,
  php: name => `    "${name}": "^1.0"`,
  rust: name => `${name} = "1"`,
  dotnet: name => `<PackageReference Include="${name}" Version="1.0" />`,
  dart: name => `  ${name}:`,
}

const list =
  (ecosystem: Ecosystem) =>
  (
    name: string,
    kind: FrameworkKind,
    packages: string,
    more: Partial<Pick<Framework, 'modules' | 'reaches'>> = {},
  ): Framework => {
    const names = packages.split(' ')
    return {
      ...{ id: `${ecosystem}/${names[0]}`, name, kind, ecosystem, packages: names, modules: [] },
      ...{ example: LINES[ecosystem](names[0]!), ...more },
    }
  }
const [npm, python, jvm, go] = [list('npm'), list('python'), list('jvm'), list('go')]
const [gem, php, crate, dotnet, dart] = [list('ruby'), list('php'), list('rust'), list('dotnet'), list('dart')]
/** A mapper of objects: it reaches a database that only the settings name. */
const toSql = (...modules: string[]) => ({ modules, reaches: 'sql' })

/** Frameworks; mappers of objects and task queues say what they reach. */
export const FRAMEWORKS: readonly Framework[] = [
  npm('React', 'frontend', 'react'),
  npm('Next.js', 'web', 'next'),
  npm('Vue', 'frontend', 'vue'),
  npm('Nuxt', 'web', 'nuxt'),
  npm('Angular', 'frontend', '@angular/core'),
  npm('Svelte', 'frontend', 'svelte'),
  npm('Express', 'web', 'express'),
  npm('Fastify', 'web', 'fastify'),
  npm('NestJS', 'web', '@nestjs/core'),
  npm('Koa', 'web', 'koa'),
  npm('Hono', 'web', 'hono'),
  npm('Electron', 'frontend', 'electron'),
  npm('React Native', 'mobile', 'react-native'),
  npm('Prisma', 'data', 'prisma @prisma/client', toSql('@prisma/client', 'prisma')),
  npm('TypeORM', 'data', 'typeorm', toSql('typeorm')),
  npm('Sequelize', 'data', 'sequelize', toSql('sequelize')),
  npm('Drizzle', 'data', 'drizzle-orm', toSql('drizzle-orm')),
  npm('Vitest', 'test', 'vitest'),
  npm('Jest', 'test', 'jest'),
  npm('Mocha', 'test', 'mocha'),
  npm('Playwright', 'test', '@playwright/test playwright'),
  npm('Cypress', 'test', 'cypress'),
  python('Django', 'web', 'django'),
  python('Flask', 'web', 'flask'),
  python('FastAPI', 'web', 'fastapi'),
  python('Tornado', 'web', 'tornado'),
  python('aiohttp', 'web', 'aiohttp'),
  python('SQLAlchemy', 'data', 'sqlalchemy', toSql('sqlalchemy', 'flask_sqlalchemy')),
  python('pandas', 'data', 'pandas'),
  python('PyTorch', 'data', 'torch'),
  python('TensorFlow', 'data', 'tensorflow'),
  python('Celery', 'data', 'celery', { modules: ['celery'], reaches: 'celery' }),
  python('pytest', 'test', 'pytest'),
  jvm(
    'Spring Boot',
    'web',
    'spring-boot-starter-web spring-boot-starter org.springframework.boot spring-boot-starter-parent',
  ),
  jvm('Quarkus', 'web', 'quarkus-core io.quarkus quarkus-bom'),
  jvm('Micronaut', 'web', 'micronaut-core io.micronaut.application'),
  jvm('Ktor', 'web', 'ktor-server-core io.ktor.plugin'),
  jvm('Hibernate', 'data', 'hibernate-core', toSql('org.hibernate')),
  jvm('JUnit 5', 'test', 'junit-jupiter junit-jupiter-api'),
  jvm('JUnit 4', 'test', 'junit'),
  go('Gin', 'web', 'github.com/gin-gonic/gin'),
  go('Echo', 'web', 'github.com/labstack/echo/v4 github.com/labstack/echo'),
  go('Fiber', 'web', 'github.com/gofiber/fiber/v2 github.com/gofiber/fiber/v3'),
  go('chi', 'web', 'github.com/go-chi/chi/v5 github.com/go-chi/chi'),
  go('GORM', 'data', 'gorm.io/gorm', toSql('gorm.io/gorm')),
  go('Testify', 'test', 'github.com/stretchr/testify'),
  gem('Ruby on Rails', 'web', 'rails'),
  gem('Sinatra', 'web', 'sinatra'),
  gem('RSpec', 'test', 'rspec rspec-rails'),
  gem('Minitest', 'test', 'minitest'),
  php('Laravel', 'web', 'laravel/framework'),
  php('Symfony', 'web', 'symfony/framework-bundle symfony/symfony'),
  php('Doctrine', 'data', 'doctrine/orm', toSql('Doctrine\\ORM')),
  php('PHPUnit', 'test', 'phpunit/phpunit'),
  crate('Actix Web', 'web', 'actix-web'),
  crate('Axum', 'web', 'axum'),
  crate('Rocket', 'web', 'rocket'),
  crate('Tokio', 'data', 'tokio'),
  crate('Diesel', 'data', 'diesel', toSql('diesel')),
  dotnet('ASP.NET Core', 'web', 'microsoft.aspnetcore.app microsoft.net.sdk.web microsoft.aspnetcore.openapi'),
  dotnet('Entity Framework Core', 'data', 'microsoft.entityframeworkcore', toSql('Microsoft.EntityFrameworkCore')),
  dotnet('xUnit.net', 'test', 'xunit'),
  dotnet('NUnit', 'test', 'nunit'),
  dart('Flutter', 'mobile', 'flutter'),
]
