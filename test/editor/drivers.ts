/** Programs that walk through an example and print what they see: what a renaming must leave as it is. Each is a file beside `main.svc`. */
export const drivers: Readonly<Record<string, string>> = {
  todo: `import from main { AddTask, ListTasks, FinishTask, EditTask, RemoveTask, Summary, tally, Priority, Task }

def show(task: Task) -> str {
    return f"{task.title} {task.priority.value} {task.tags} {task.done}";
}

with entry {
    first = (root spawn AddTask(title=" one ", tags=["a"])).reports[0];
    second = (root spawn AddTask(title="two", priority=Priority.HIGH, tags=["a", "b"])).reports[0];
    print(show(first), show(second));
    first spawn FinishTask();
    second spawn EditTask(title="three", tags=["c"]);
    for task in (root spawn ListTasks(tag="c", open_only=True)).reports { print(show(task)); }
    print((root spawn Summary()).reports);
    first spawn RemoveTask();
    print(len((root spawn ListTasks()).reports), tally("visits", 2), second.matches("c", False));
}
`,
  orgchart: `import from main { Hire, Assign, ReportsOf, Chain, HeadCount, Workload, Colleagues, Search, Leave }

with entry {
    root spawn Hire(name="ann", title="chief", salary=100.0, team="top");
    root spawn Hire(name="bob", title="lead", salary=60.0, manager="ann", team="top");
    root spawn Hire(name="cid", title="dev", salary=40.0, manager="bob", team="low", since=2024);
    root spawn Assign(name="bob", project="x", percent=60);
    root spawn Assign(name="cid", project="x");
    print((root spawn ReportsOf(name="ann")).reports);
    print((root spawn Chain(name="cid")).reports);
    print((root spawn HeadCount(name="ann")).reports);
    print((root spawn Workload(name="bob")).reports);
    print((root spawn Colleagues(name="bob")).reports);
    print((root spawn Search(title="dev")).reports);
    root spawn Leave(name="bob");
    print((root spawn Chain(name="cid")).reports);
}
`,
};
