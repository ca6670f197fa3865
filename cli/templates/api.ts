import { commonFiles } from './common.ts';
import type { Template } from './template.ts';

export const api: Template = {
  name: 'api',
  about: 'the API of a to-do list: every user has tasks of their own',
  files: ({ name }) => ({
    ...commonFiles(name, 'A to-do list.'),
    'main.svc': program,
    'main.test.svc': tests,
    'README.md': readme(name),
  }),
};

const program = `"""A to-do list. Every user's tasks hang off their own root."""

node Task {
    has title: str;
    has done: bool = False;
}

"""Anyone may call this one."""
walker:pub Hello {
    has name: str = "world";

    can greet with Root entry {
        report f"Hello, {self.name}!";
    }
}

"""Adds a task to the caller's list."""
walker AddTask {
    has title: str;

    can add with Root entry {
        task = Task(title=self.title);
        here ++> task;
        report task;
    }
}

"""Reports the caller's tasks, one report each."""
walker ListTasks {
    can start with Root entry {
        visit [-->[?:Task]];
    }

    can show with Task entry {
        report here;
    }
}

"""Marks a task as done: POST /walker/FinishTask/{id of the task}."""
walker FinishTask {
    can finish with Task entry {
        here.done = True;
        report here;
    }
}
`;

const tests = `test "a task is added, listed and finished" {
    task = (root spawn AddTask(title="buy milk")).reports[0];
    task spawn FinishTask();
    assert [(t.title, t.done) for t in (root spawn ListTasks()).reports] == [("buy milk", True)];
}

test "greets" {
    assert (root spawn Hello(name="Ada")).reports == ["Hello, Ada!"];
}
`;

const readme = (name: string) => `# ${name}

\`\`\`sh
svc start            # http://localhost:8000, pages at /docs
svc test             # runs main.test.svc
\`\`\`

\`\`\`sh
curl -X POST localhost:8000/walker/Hello -H 'Content-Type: application/json' -d '{"name": "Ada"}'

curl -X POST localhost:8000/user/register -H 'Content-Type: application/json' \\
  -d '{"email": "ada@example.com", "password": "correct horse"}'     # answers with a token

curl -X POST localhost:8000/walker/AddTask -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{"title": "buy milk"}'
curl -X POST localhost:8000/walker/ListTasks -H "Authorization: Bearer $TOKEN"
\`\`\`

Data is kept in \`.svc/data/svc.db\`. \`svc start --reload\` picks up changes while you edit.
`;
